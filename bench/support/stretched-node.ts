import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { splitRange } from '../../src/chain/envelope.ts';
import { RECORDING_FOLDER } from './recording.ts';

/**
 * A node in a process of its own whose chain is the recording over and over: heights go on counting and the first
 * block of each copy names the last of the copy before as its parent, so that the parent check stays on. Everything
 * but the heights is prebuilt. argv: the number of blocks. Prints its URL; on SIGTERM its CPU seconds.
 */
const blocks = Number(process.argv[2]);
const capture = await openCapture(RECORDING_FOLDER);
const source = createCaptureSource(capture);
const { latestHeight: period } = await source.head();
const recorded = splitRange(await source.fetch(1, period));
const lastHash = /"hash":"([0-9A-F]{64})"/.exec(recorded[period - 1]?.block ?? '')?.[1] ?? '';

/** A text in pieces, between which heights stand. */
type Template = readonly (Buffer | 'height' | 'parent')[];

const blockTemplates = recorded.map(({ block, height }) => template(block, height));
const resultTemplates = recorded.map(({ results, height }) => template(results, height));
/** The first block of a later copy: as the recorded one, but with a parent. */
const joint = template(
  (recorded[0]?.block ?? '').replace('"last_block_id":{"hash":""', `"last_block_id":{"hash":"${lastHash}"`),
  1,
);

function template(text: string, height: number): Template {
  const pieces: (Buffer | 'height' | 'parent')[] = [];
  let rest = text;
  for (;;) {
    const match = new RegExp(`"height":"(${height}|${height - 1})"`).exec(rest);
    if (match === null) break;
    const start = match.index + '"height":"'.length;
    pieces.push(
      Buffer.from(rest.slice(0, start), 'latin1'),
      match[1] === String(height) ? 'height' : 'parent',
    );
    rest = rest.slice(start + (match[1]?.length ?? 0));
  }
  return [...pieces, Buffer.from(rest, 'latin1')];
}

function fill(pieces: Template, height: number, out: Buffer[]): void {
  for (const piece of pieces) {
    if (typeof piece !== 'string') out.push(piece);
    else out.push(Buffer.from(String(piece === 'height' ? height : height - 1), 'latin1'));
  }
}

function pushResult(method: string, height: number, out: Buffer[]): void {
  const at = (height - 1) % period;
  if (method === 'block_results') fill(resultTemplates[at] ?? [], height, out);
  else fill(at === 0 && height > 1 ? joint : (blockTemplates[at] ?? []), height, out);
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly height?: string; readonly path?: string };
}

async function answer(call: Call, out: Buffer[]): Promise<void> {
  out.push(Buffer.from(`{"jsonrpc":"2.0","id":${call.id},"result":`));
  if (call.method === 'block' || call.method === 'block_results') {
    pushResult(call.method, Number(call.params.height), out);
  } else if (call.method === 'abci_query') {
    const { code, value, log, height } = await source.abciQuery(call.params.path ?? '', new Uint8Array());
    const response = { code, log, height: String(height), value: Buffer.from(value).toString('base64') };
    out.push(Buffer.from(JSON.stringify({ response })));
  } else {
    const text = capture.meta.texts.get(call.method === 'status' ? 'status' : 'abci_info') ?? '{}';
    out.push(Buffer.from(text.replace(/("latest_block_height":)"\d+"/, `$1"${blocks}"`)));
  }
  out.push(Buffer.from('}'));
}

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
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
process.on('SIGTERM', () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ cpuSeconds: (user + system) / 1e6 }));
  process.exit(0);
});
