import type { Context } from '../../app/module.ts';
import type { MachineSession } from './machine.ts';
import { precompileAt, precompileCode, stableAddress } from './precompiles.ts';

/** What an execution stands on, with the events of precompiles held back: those of calls that fail are dropped. */
export interface HeldSession {
  readonly session: MachineSession;
  /** Emits what is left. */
  release(): void;
}

export function openSession(context: Context): HeldSession {
  const held: (() => void)[] = [];
  const inside: Context = {
    ...context,
    emit: (type, fields) => {
      held.push(() => context.emit(type, fields));
    },
    emitPlain: (type, attributes) => {
      held.push(() => context.emitPlain(type, attributes));
    },
  };
  const stable = stableAddress(context.parameters);
  return {
    session: {
      state: context.state,
      parameters: context.parameters,
      events: {
        count: () => held.length,
        truncate: (count) => {
          held.length = count;
        },
      },
      precompileCode: precompileCode(context.state, stable),
      precompile: (address, frame) => precompileAt(inside, stable, address, frame),
    },
    release: () => {
      for (const emit of held.splice(0)) emit();
    },
  };
}
