import type { Stage } from './stage.ts';
import type { Steps } from './step.ts';

/** One thing that people do on the chain, from its first tx to its last. */
export interface Scenario {
  readonly name: string;
  /** Its share of the draws once every scenario has been played; 0 is played once. */
  readonly weight: number;
  /** Takes what it needs before its first step. */
  readonly play: (stage: Stage) => Steps;
}

export function scenario(name: string, weight: number, play: (stage: Stage) => Steps): Scenario {
  return { name, weight, play };
}
