import { ownBytes } from '../own-bytes.ts';
import { HttpFailure } from './failure.ts';
import { codingOf, type PackedBy, unpack } from './unpack.ts';

export interface HttpAnswer {
  readonly status: number;
  /** Of the header retry-after, from the answer's arrival. */
  readonly retryAfterMs: number | undefined;
  /** Over memory of its own, unpacked. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface BodyCollector {
  /** An error when the answer is none to take. */
  start(status: number, headers: Headers): HttpFailure | undefined;
  /** An error when the body grows beyond its limit. */
  push(chunk: Uint8Array): HttpFailure | undefined;
  /** Errors: HttpFailure encoded or too_large where the body had to be unpacked. */
  finish(): HttpAnswer | Promise<HttpAnswer>;
}

export interface BodyLimits {
  /** Of what arrives, and of what comes out where it is packed. */
  readonly maxBodyBytes: number;
  readonly unpacks: boolean;
}

/** Writes chunks to their place at once when the length is announced, else joins them at the end. */
export function createBodyCollector({ maxBodyBytes, unpacks }: BodyLimits, name: string): BodyCollector {
  let status = 0;
  let retryAfterMs: number | undefined;
  let packedBy: PackedBy | undefined;
  let announced: Uint8Array<ArrayBuffer> | undefined;
  let chunks: Uint8Array[] = [];
  let byteLength = 0;
  const tooLarge = () => new HttpFailure('too_large', `${name} answers with more than ${maxBodyBytes} bytes`);
  return {
    start: (givenStatus, headers) => {
      status = givenStatus;
      if (status >= 300 && status < 400) {
        return new HttpFailure(
          'redirect',
          `${name} answers with a redirect (HTTP ${status}), which is not followed`,
        );
      }
      const coding = codingOf(headers['content-encoding'], unpacks);
      if (coding === 'unknown') {
        return new HttpFailure('encoded', `${name} answers in an encoding that was not asked for`);
      }
      packedBy = coding;
      retryAfterMs = readRetryAfter(headers['retry-after'], Date.now());
      const length = Number(headers['content-length'] ?? Number.NaN);
      if (length > maxBodyBytes) return tooLarge();
      announced = length > 0 ? new Uint8Array(length) : undefined;
      chunks = [];
      byteLength = 0;
      return undefined;
    },
    push: (chunk) => {
      if (byteLength + chunk.length > maxBodyBytes) return tooLarge();
      if (announced === undefined) chunks.push(chunk);
      else announced.set(chunk, byteLength);
      byteLength += chunk.length;
      return undefined;
    },
    finish: () => {
      const arrived = announced ?? ownBytes(chunks);
      if (packedBy === undefined) return { status, retryAfterMs, bytes: arrived };
      return unpack(arrived, packedBy, maxBodyBytes, name).then((bytes) => ({ status, retryAfterMs, bytes }));
    },
  };
}

/** Seconds, or a date (RFC 9110). A date that is past, or none, is no wish. */
export function readRetryAfter(header: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1_000;
  // other texts that Date takes for dates, such as -5, are none here
  const atMs = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN;
  return atMs > nowMs ? atMs - nowMs : undefined;
}
