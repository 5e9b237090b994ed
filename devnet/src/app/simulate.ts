import type { AbciEvent } from 'strata-kit/abci-event';
import { bytesToBase64 } from 'strata-kit/bytes';
import { ChainError } from 'strata-kit/chain-error';
import type { Codec } from 'strata-kit/codec/codec';
import type { JsonObject } from 'strata-kit/proto-json';
import { createOverlay } from '../state/overlay.ts';
import type { Reader } from '../state/state.ts';
import { createExecutor, type Execution, type Moment } from './execute.ts';
import type { Module } from './module.ts';
import type { ChainParameters } from './parameters.ts';
import { createRouter } from './router.ts';
import { decodeTx } from './tx.ts';

export interface SimulatorParts {
  readonly codec: Codec;
  readonly parameters: ChainParameters;
  readonly modules: readonly Module[];
  /** Most gas of a simulation. */
  readonly maxGas: bigint;
  readonly onUnforeseen: (error: unknown) => void;
}

/** Executes a tx over a state as if it were in the block of `moment`, without its signatures; nothing stays. */
export type Simulator = (reader: Reader, bytes: Uint8Array, moment: Moment) => Promise<Execution>;

/** Errors of a simulation: ChainError, as the tx would fail. */
export function createSimulator(parts: SimulatorParts): Simulator {
  const { codec, parameters, modules, maxGas, onUnforeseen } = parts;
  const router = createRouter(modules, parameters.namespace);
  const executor = createExecutor({ codec, parameters, router, verifies: false, maxGas, onUnforeseen });
  return async (reader, bytes, moment) => {
    const tx = decodeTx(codec, parameters, bytes);
    const execution = await executor.execute(tx, 'simulate', createOverlay(reader), moment, 0);
    if (execution.code !== 0) throw new ChainError(execution.codespace, execution.code, execution.log);
    return execution;
  };
}

/** Of protobufs, as of their JSON. */
export function simulationJson(
  codec: Codec,
  { gasWanted, gasUsed, data, events, responses }: Execution,
): JsonObject {
  return {
    gas_info: { gas_wanted: String(gasWanted), gas_used: String(gasUsed) },
    result: {
      data: bytesToBase64(data),
      log: '',
      events: events.map(eventJson),
      msg_responses: responses.map((response) => codec.jsonFromAny(response)),
    },
  };
}

function eventJson({ type, attributes }: AbciEvent): JsonObject {
  return { type, attributes: attributes.map(([key, value]) => ({ key, value, index: true })) };
}
