import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Capture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';

/** What a block's answers are made of, in memory. */
export interface PrebuiltBlocks {
  readonly height: number;
  /** Appends the `result` of /block or /block_results. */
  push(method: 'block' | 'block_results', height: number, out: Buffer[]): void;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly height?: string; readonly path?: string };
}

/**
 * A node on loopback that gives prebuilt bytes and all else from a capture, each answer so many milliseconds late. Prints its
 * URL; runs until SIGTERM.
 */
export function serveBlocks(capture: Capture, blocks: PrebuiltBlocks, latencyMs = 0): void {
  const source = createCaptureSource(capture);

  async function answer(call: Call, out: Buffer[]): Promise<void> {
    out.push(Buffer.from(`{"jsonrpc":"2.0","id":${call.id},"result":`));
    if (call.method === 'block' || call.method === 'block_results') {
      blocks.push(call.method, Number(call.params.height), out);
    } else if (call.method === 'abci_query') {
      const { code, value, log, height } = await source.abciQuery(call.params.path ?? '', new Uint8Array());
      const response = { code, log, height: String(height), value: Buffer.from(value).toString('base64') };
      out.push(Buffer.from(JSON.stringify({ response })));
    } else {
      const text = capture.meta.texts.get(call.method === 'status' ? 'status' : 'abci_info') ?? '{}';
      const heights = text
        .replace(/("latest_block_height":)"\d+"/, `$1"${blocks.height}"`)
        .replace(/("earliest_block_height":)"\d+"/, '$1"1"');
      out.push(Buffer.from(heights));
    }
    out.push(Buffer.from('}'));
  }

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (latencyMs > 0) await sleep(latencyMs);
    const calls = JSON.parse(Buffer.concat(parts).toString()) as Call | Call[];
    const out: Buffer[] = [];
    if (Array.isArray(calls)) {
      out.push(Buffer.from('['));
      for (const [i, call] of calls.entries()) {
        if (i > 0) out.push(Buffer.from(','));
        await answer(call, out);
      }
      out.push(Buffer.from(']'));
    } else {
      await answer(calls, out);
    }
    response.setHeader('content-type', 'application/json');
    response.setHeader(
      'content-length',
      out.reduce((sum, piece) => sum + piece.length, 0),
    );
    response.cork();
    for (const piece of out) response.write(piece);
    response.end();
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  process.on('SIGTERM', () => process.exit(0));
}
