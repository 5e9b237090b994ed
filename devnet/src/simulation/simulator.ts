import { ChainError, sdkError } from 'strata-kit/chain-error';
import { type Codec, openCodec } from 'strata-kit/codec/codec';
import type { ChainParameters } from '../app/parameters.ts';
import { createRouter } from '../app/router.ts';
import { createSimulator, simulationJson } from '../app/simulate.ts';
import { EthereumError } from '../evm-rpc/errors.ts';
import { createMachine, type Machine } from '../modules/evm/machine.ts';
import { devnetModules } from '../modules.ts';
import type { Reader } from '../state/state.ts';
import { call, estimateGas } from './ethereum-calls.ts';
import { SIMULATION_GAS } from './limits.ts';
import { connectReads, type RemoteState } from './reads.ts';
import { SimulationStop } from './stop.ts';
import type { QueryWalk, Simulation, SimulationInput, SimulationReply } from './tasks.ts';

/** Errors: ChainError and EthereumError as the execution fails, SimulationStop of the reader; any other is a defect. */
export type Executor = (simulation: Simulation, height: number, reader: Reader) => Promise<SimulationReply>;

/** Executes one simulation after another, never two at once. `onCall` runs at each call in the EVM. */
export function createExecutor(parameters: ChainParameters, onCall: () => void = () => {}): Executor {
  const codec = openCodec(parameters);
  const defects: unknown[] = [];
  const modules = devnetModules({ onCall });
  const { queries } = createRouter(modules, parameters.namespace);
  const simulateTx = createSimulator({
    codec,
    parameters,
    modules,
    maxGas: SIMULATION_GAS,
    onUnforeseen: (error) => defects.push(error),
  });
  let machine: Promise<Machine> | undefined;

  async function answer({ path, data, timeNs }: QueryWalk, height: number, reader: Reader) {
    const [handler, method] = [queries.get(path), codec.method(path)];
    if (handler === undefined || method === undefined)
      throw sdkError('unknownRequest', 'unknown query path: unknown request');
    const request = codec.decode(method.request, data, 'ignore');
    return codec.encode(method.response, await handler(reader, request, { height, timeNs, parameters }));
  }

  async function execute(simulation: Simulation, height: number, reader: Reader): Promise<SimulationReply> {
    if (simulation.kind === 'tx') {
      const execution = await simulateTx(reader, simulation.bytes, simulation.moment);
      const json = simulationJson(codec, execution);
      return { kind: 'bytes', bytes: encode(codec, json, simulation.form) };
    }
    if (simulation.kind === 'query')
      return { kind: 'bytes', bytes: await answer(simulation, height, reader) };
    const { request, moment } = simulation;
    machine ??= createMachine(parameters.evmChainId, { onCall });
    const world = { parameters, reader, moment, machine: await machine };
    return simulation.kind === 'call'
      ? { kind: 'bytes', bytes: await call(world, request) }
      : { kind: 'gas', gas: await estimateGas(world, request) };
  }

  return async (simulation, height, reader) => {
    defects.length = 0;
    try {
      return await execute(simulation, height, reader);
    } catch (error) {
      throw defects[0] ?? error;
    }
  };
}

/** A simulation's thread: one simulation after another, over the state that the main thread serves. */
export function createThread(
  parameters: ChainParameters,
): (input: SimulationInput) => Promise<SimulationReply> {
  let remote: RemoteState | undefined;
  const execute = createExecutor(parameters, () => remote?.check());
  /** Of the newest height that was simulated at: the next simulation is most often at the same one. */
  let cache = { height: -1, values: new Map<string, unknown>() };

  return async ({ simulation, height, port, shared }) => {
    if (cache.height !== height) cache = { height, values: new Map() };
    remote = connectReads(port, shared, cache.values);
    try {
      const reply = await execute(simulation, height, remote.reader);
      return replyOfStop(remote) ?? reply;
    } catch (error) {
      return replyOfStop(remote) ?? replyOf(error);
    } finally {
      remote = undefined;
      port.close();
    }
  };
}

function encode(codec: Codec, json: ReturnType<typeof simulationJson>, form: 'binary' | 'json'): Uint8Array {
  return form === 'json'
    ? Buffer.from(JSON.stringify(json))
    : codec.encode('/cosmos.tx.v1beta1.SimulateResponse', json);
}

/** A read that failed may have been taken for a defect of the chain on its way up. */
function replyOfStop(remote: RemoteState): SimulationReply | undefined {
  const stop = remote.stopped();
  return stop === undefined ? undefined : { kind: 'stopped', reason: stop.reason };
}

function replyOf(error: unknown): SimulationReply {
  if (error instanceof SimulationStop) return { kind: 'stopped', reason: error.reason };
  if (error instanceof ChainError)
    return {
      kind: 'chain-error',
      codespace: error.codespace,
      code: error.code,
      message: error.message,
    };
  if (error instanceof EthereumError)
    return { kind: 'ethereum-error', code: error.code, message: error.message, data: error.data };
  return { kind: 'defect', error: error instanceof Error ? error : new Error(String(error)) };
}
