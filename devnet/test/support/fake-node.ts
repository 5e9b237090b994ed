import { createServer, type Server } from 'node:http';
import { txHash } from 'strata-kit/client/tx';
import type { Codec } from 'strata-kit/codec/codec';
import { closeServer, listenAt } from 'strata-kit/http/listener';
import type { JsonObject } from 'strata-kit/proto-json';

/** A node's CometBFT RPC with answers that a test writes: for the client, without a chain. */
export interface FakeNode {
  readonly url: string;
  /** What was broadcast, in order. */
  readonly txs: Uint8Array[];
  /** Methods that were called, in order. */
  readonly calls: string[];
  close(): Promise<void>;
}

export interface FakeAnswers {
  /** By path; a text is a refusal (sdk/38), nothing an unknown path (sdk/6). Told how many txs were broadcast. */
  readonly queries?: Readonly<Record<string, JsonObject | string | ((txs: number) => JsonObject)>>;
  readonly check?: { readonly code: number; readonly codespace: string; readonly log: string };
  readonly result?: JsonObject;
  /** Looks for a tx that find nothing first. */
  readonly looksBefore?: number;
  /** By method: the body to answer instead of JSON-RPC. */
  readonly bodies?: Readonly<Record<string, string>>;
}

export const FAKE_CHAIN = 'fake-1';

export async function fakeNode(codec: Codec, answers: FakeAnswers = {}): Promise<FakeNode> {
  const txs: Uint8Array[] = [];
  const calls: string[] = [];
  let looks = answers.looksBefore ?? 0;

  function answer(method: string, params: Record<string, string>): object {
    if (method === 'status') {
      return {
        result: {
          node_info: { network: FAKE_CHAIN },
          sync_info: { latest_block_height: '7', latest_block_time: '2026-11-20T10:00:00.5Z' },
        },
      };
    }
    if (method === 'abci_query') return { result: { response: queryAnswer(params.path ?? '') } };
    if (method === 'broadcast_tx_sync') {
      const tx = Buffer.from(params.tx ?? '', 'base64');
      txs.push(tx);
      return { result: { code: 0, codespace: '', log: '', data: '', ...answers.check, hash: txHash(tx) } };
    }
    if (method !== 'tx') return { error: { code: -32601, message: 'Method not found', data: '' } };
    const hash = Buffer.from(params.hash ?? '', 'base64')
      .toString('hex')
      .toUpperCase();
    looks -= 1;
    if (looks >= 0 || !txs.some((tx) => txHash(tx) === hash)) {
      return { error: { code: -32603, message: 'Internal error', data: `tx (${hash}) not found` } };
    }
    return {
      result: {
        hash,
        height: '8',
        tx_result: { code: 0, gas_wanted: '130', gas_used: '99', events: [], ...answers.result },
      },
    };
  }

  function queryAnswer(path: string): object {
    const given = answers.queries?.[path];
    const value = typeof given === 'function' ? given(txs.length) : given;
    if (value === undefined) return { code: 6, codespace: 'sdk', log: `unknown query path: ${path}` };
    if (typeof value === 'string') return { code: 38, codespace: 'sdk', log: value };
    const type = codec.method(path)?.response ?? '';
    return { code: 0, value: Buffer.from(codec.encode(type, value)).toString('base64'), height: '7' };
  }

  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, params, id } = JSON.parse(Buffer.concat(chunks).toString());
      calls.push(method);
      response.setHeader('content-type', 'application/json');
      const body = answers.bodies?.[method];
      response.end(body ?? JSON.stringify({ jsonrpc: '2.0', id, ...answer(method, params) }));
    });
  });
  const { url } = await listenAt(server, { host: '127.0.0.1', port: 0 });
  return {
    url,
    txs,
    calls,
    close: () => closeServer(server, 0),
  };
}
