import type { BlockSource, RawRange } from '../../src/chain/source.ts';

/** How a source differs from the one that it stands on. */
export interface Change {
  readonly chainId?: string;
  readonly earliestHeight?: number;
  readonly latestHeight?: number;
  /** The line of a height, `{"height":…,"block":…,"block_results":…}` in latin1, as it is given instead. */
  readonly line?: (height: number, line: string) => string;
}

/** The recorded chain, or what stands for it, with something changed. */
export function changedSource(source: BlockSource, change: Change): BlockSource {
  return {
    ...source,
    async head(signal) {
      const head = await source.head(signal);
      return {
        ...head,
        chainId: change.chainId ?? head.chainId,
        earliestHeight: change.earliestHeight ?? head.earliestHeight,
        latestHeight: change.latestHeight ?? head.latestHeight,
      };
    },
    async fetch(fromHeight, toHeight, signal) {
      const range = await source.fetch(fromHeight, toHeight, signal);
      return change.line === undefined ? range : withLines(range, change.line);
    },
  };
}

function withLines(range: RawRange, change: (height: number, line: string) => string): RawRange {
  const bodies = range.bodies.map((body) => {
    const lines = Buffer.from(body.bytes).toString('latin1').split('\n').filter(Boolean);
    const changed = lines.map((line, i) => change(body.fromHeight + i, line));
    return { ...body, bytes: ownBytes(changed.join('\n').concat('\n')) };
  });
  return { ...range, bodies, byteLength: bodies.reduce((sum, { bytes }) => sum + bytes.length, 0) };
}

/** Bytes over memory of their own, as a source must give them. */
function ownBytes(latin1: string): Uint8Array {
  const bytes = new Uint8Array(latin1.length);
  for (let i = 0; i < latin1.length; i++) bytes[i] = latin1.charCodeAt(i);
  return bytes;
}

/** Another hash of the same length for the block of a line, as if its content were another. */
export function withBlockHash(line: string, hash: string): string {
  return line.replace(/("block_id":\{"hash":")[0-9A-F]{64}/, `$1${hash}`);
}

/** Another parent hash for the block of a line. */
export function withParentHash(line: string, hash: string): string {
  return line.replace(/("last_block_id":\{"hash":")[0-9A-F]{64}/, `$1${hash}`);
}
