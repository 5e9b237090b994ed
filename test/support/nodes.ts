import type { RpcAnswer } from 'strata-kit/rpc/calls';
import { type ReplayOptions, startReplay } from '../../src/chain/replay/server.ts';
import { createRpcSource, type RpcSourceOptions } from '../../src/chain/rpc/source.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import { recordedCapture } from './recorded-capture.ts';

export interface NodeChoice extends Pick<ReplayOptions, 'paceMs' | 'faults'> {
  /** The body of an answer, in latin1, as it is sent instead. */
  readonly change?: (answer: string) => string;
}

/** Uses the RPC source over one or more nodes that replay the recorded chain on loopback. */
export async function withNodes<T>(
  choices: readonly NodeChoice[],
  use: (source: BlockSource, urls: readonly string[]) => Promise<T>,
  options: Partial<RpcSourceOptions> = {},
): Promise<T> {
  const capture = await recordedCapture();
  const nodes = await Promise.all(
    choices.map(({ paceMs, change, faults }) =>
      startReplay({
        capture,
        host: '127.0.0.1',
        port: 0,
        ...(paceMs === undefined ? {} : { paceMs }),
        ...(faults === undefined ? {} : { faults }),
        ...(change === undefined ? {} : { respond: (_request, answer) => changed(answer, change) }),
      }),
    ),
  );
  const source = createRpcSource({ urls: nodes.map(({ url }) => url), ...options });
  try {
    return await use(
      source,
      nodes.map(({ url }) => url),
    );
  } finally {
    await source.close();
    await Promise.all(nodes.map((node) => node.close()));
  }
}

function changed(answer: RpcAnswer, change: (text: string) => string): RpcAnswer {
  const text = Buffer.concat(answer.parts).toString('latin1');
  return { ...answer, parts: [Buffer.from(change(text), 'latin1')] };
}
