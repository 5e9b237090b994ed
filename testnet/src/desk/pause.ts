import type { Logger } from 'pino';

/** Whether the operator has stopped the desk: paused, it quotes nothing and begins no trade. */
export interface Pause {
  isPaused(): boolean;
  /** Pauses, or ends the pause, and logs which. */
  toggle(): void;
}

export function createPause(log: Pick<Logger, 'warn'>, isPausedAtStart = false): Pause {
  let isPaused = isPausedAtStart;
  const tell = () =>
    log.warn(
      isPaused
        ? 'the desk is paused: it quotes nothing and begins no trade; SIGUSR2 ends the pause'
        : 'the desk is not paused any more',
    );
  if (isPaused) tell();
  return {
    isPaused: () => isPaused,
    toggle() {
      isPaused = !isPaused;
      tell();
    },
  };
}
