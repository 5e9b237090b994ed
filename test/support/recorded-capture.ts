import { type Capture, openCapture } from '../../src/chain/capture/reader.ts';
import { FIXTURE_FOLDER } from './oracle.ts';

let capture: Promise<Capture> | undefined;

/** The recording, unpacked once a process, which takes 0.15 CPU seconds. Nobody closes it. */
export function recordedCapture(): Promise<Capture> {
  capture ??= openCapture(FIXTURE_FOLDER.pathname);
  return capture;
}
