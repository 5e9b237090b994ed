import type { Codec } from 'strata-kit/codec/codec';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import type { State } from '../state/state.ts';
import { createEventLog, type EventLog } from './events.ts';
import type { Moment } from './execute.ts';
import { failureOf } from './failure.ts';
import { createGasMeter } from './gas.ts';
import type { ChainParameters } from './parameters.ts';
import type { Router } from './router.ts';

/**
 * What the chain does by itself at a height, as the handler of an upgrade or a passed proposal does on other chains: so
 * records come to be by block-level events, without a tx. The genesis document lists all plans. The state after a block
 * still follows from the genesis, the txs and the block times alone.
 */
export interface Plan {
  readonly height: number;
  /** PreBlock comes first; its events carry no `mode`. */
  readonly phase: Phase;
  /** With `@type`, in whose signer's name they run. All of them take effect, or none. */
  readonly messages: readonly JsonObject[];
}

export const PHASES = ['PreBlock', 'BeginBlock', 'EndBlock'] as const;
export type Phase = (typeof PHASES)[number];

export interface PlanRunner {
  /** Runs the plans of the block and phase, and tells their events to the log. */
  run(phase: Phase, moment: Moment, state: State, into: EventLog): Promise<void>;
}

export interface PlanParts {
  readonly codec: Codec;
  readonly parameters: ChainParameters;
  readonly router: Router;
  readonly plans: readonly Plan[];
  readonly onUnforeseen: (error: unknown) => void;
}

const NO_BYTES = new Uint8Array(0);

/** Errors: an Error for a message that the chain has not, or that needs an envelope of its own. */
export function createPlanRunner({ codec, parameters, router, plans, onUnforeseen }: PlanParts): PlanRunner {
  const ready = plans.map(({ height, phase, messages }) => ({
    height,
    phase,
    messages: messages.map((message) => {
      const typeUrl = String(message['@type']).replace('<ns>', parameters.namespace);
      const handler = router.messages.get(typeUrl);
      if (handler === undefined || router.bound.has(typeUrl))
        throw new Error(`a plan of height ${height} has ${typeUrl}, which no plan can run`);
      const { '@type': _, ...fields } = message;
      // as a tx would bring it: every field is there, and none that the message has not
      return { handler, value: codec.decode(typeUrl, codec.encode(typeUrl, fields)) };
    }),
  }));

  return {
    async run(phase, moment, state, into) {
      for (const plan of ready) {
        if (plan.height !== moment.height || plan.phase !== phase) continue;
        const start = state.mark();
        const log = createEventLog(codec, parameters.namespace);
        const context = {
          ...moment,
          state,
          parameters,
          gas: createGasMeter(),
          emit: log.emit,
          emitPlain: log.emitPlain,
          txIndex: -1,
          txBytes: NO_BYTES,
          messageCount: plan.messages.length,
        };
        try {
          for (const [messageIndex, { handler, value }] of plan.messages.entries())
            await handler({ ...context, messageIndex }, value);
          into.events.push(...log.events);
        } catch (error) {
          state.revert(start);
          const { codespace, code, log: reason } = failureOf(error, onUnforeseen);
          into.emitPlain('plan_refused', [
            ['codespace', codespace],
            ['code', String(code)],
            ['log', reason],
          ]);
        }
      }
    },
  };
}

export function planJson({ height, phase, messages }: Plan): JsonObject {
  return { height: String(height), phase, messages };
}

/** Of `app_state.upgrade.plans`. Errors: an Error that says what is wrong. */
export function readPlans(json: Json | undefined): Plan[] {
  if (json === undefined) return [];
  if (!Array.isArray(json)) throw new Error('app_state.upgrade.plans must be a list');
  return (json as readonly JsonObject[]).map(({ height, phase, messages }) => {
    const at = Number(height);
    const known = PHASES.find((each) => each === phase);
    if (!Number.isSafeInteger(at) || at < 1 || known === undefined || !Array.isArray(messages))
      throw new Error(`a plan has a height, a phase (${PHASES.join(', ')}) and messages`);
    return { height: at, phase: known, messages: messages as readonly JsonObject[] };
  });
}
