import { bytesToHex } from 'strata-kit/bytes';
import { type Clock, systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import type { AbciAnswer, BlockSource } from '../source.ts';
import { captureInvalid } from './capture-invalid.ts';
import { DESCRIPTORS_PATH } from './format.ts';
import type { Capture } from './reader.ts';

/** What the SDK answers to a path that no service has. */
export const UNKNOWN_QUERY = {
  code: 6,
  log: 'unknown query path: unknown request',
  codespace: 'sdk',
} as const;

/** A capture as a BlockSource: nothing to retry, no other node to ask. `name` and origins are the folder. */
export function createCaptureSource(capture: Capture, clock: Clock = systemClock): BlockSource {
  const { folder, meta, blocks } = capture;
  return {
    name: folder,
    genesis: meta.texts.get('genesis'),

    head: async () => ({
      chainId: meta.chainId,
      earliestHeight: blocks.firstHeight,
      latestHeight: blocks.lastHeight,
      appVersion: meta.appVersion,
      softwareVersion: meta.softwareVersion,
    }),

    fetch: async (fromHeight, toHeight, signal) => {
      if (signal?.aborted === true) throw new StrataError('aborted', 'reading the capture was stopped');
      if (fromHeight < blocks.firstHeight) {
        throw new StrataError(
          'height_pruned',
          `the capture ${folder} starts at height ${blocks.firstHeight}`,
          {
            height: fromHeight,
            lowestHeight: blocks.firstHeight,
          },
        );
      }
      if (toHeight > blocks.lastHeight) {
        throw new StrataError('node_lagging', `the capture ${folder} ends at height ${blocks.lastHeight}`, {
          height: toHeight,
        });
      }
      const bytes = await blocks.readLines(fromHeight, toHeight);
      const body = { layout: 'capture', fromHeight, toHeight, bytes } as const;
      return { fromHeight, toHeight, bodies: [body], byteLength: bytes.length, origin: folder };
    },

    reportBad: (range, reason) => {
      throw captureInvalid(
        folder,
        `heights ${range.fromHeight} to ${range.toHeight}: ${reason.message}`,
        reason,
      );
    },

    abciQuery: async (path, data) => recordedAnswer(capture, path, data),

    waitForHeightAbove: (_height, timeoutMs, signal) => clock.sleep(timeoutMs, signal),

    close: () => blocks.close(),
  };
}

function recordedAnswer(capture: Capture, path: string, data: Uint8Array): AbciAnswer {
  const height = capture.blocks.lastHeight;
  if (path === DESCRIPTORS_PATH && capture.descriptors !== undefined && data.length === 0) {
    return { code: 0, log: '', height, value: capture.descriptors };
  }
  const found = capture.queries.find((query) => query.path === path && query.data === bytesToHex(data));
  if (found === undefined)
    return { code: UNKNOWN_QUERY.code, log: UNKNOWN_QUERY.log, height: 0, value: new Uint8Array() };
  const { code, log, value, height: answered } = found.response;
  return { code, log, height: Number(answered), value: Buffer.from(value ?? '', 'base64') };
}
