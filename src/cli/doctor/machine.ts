import { readFile, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { about, type Finding } from './finding.ts';

/** The machine that Strata runs on: Node, open files, room on the disks. */

const MIN_NODE = [20, 19] as const;
const LEAST_FILES = 1_024;
/** A part of a table has some 20 files, and a store hundreds of parts. */
const GOOD_FILES = 8_192;
const LEAST_FREE_BYTES = 1e9;
/** A merge needs as much room again as the parts that it joins. */
const GOOD_FREE_BYTES = 10e9;

export function checkNodeVersion(version: string): Finding {
  const report = about('runtime', `Node ${version}`);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor, minMinor] = MIN_NODE;
  const isOld = major < minMajor || (major === minMajor && minor < minMinor);
  return isOld
    ? report('problem', `older than ${MIN_NODE.join('.')}`, `install Node ${MIN_NODE.join('.')} or newer`)
    : report('ok', 'new enough');
}

/** `limits` is the text of /proc/self/limits, undefined where there is none. */
export function checkOpenFiles(limits: string | undefined): Finding {
  const report = about('files', 'open files');
  const limit = /^Max open files\s+(\d+|unlimited)/m.exec(limits ?? '')?.[1];
  if (limit === undefined) return report('ok', 'no limit can be read on this system');
  const files = limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
  const remedy = `raise it: ulimit -n ${GOOD_FILES}, or LimitNOFILE= of the service`;
  if (files < LEAST_FILES)
    return report('problem', `at most ${limit} at once: too few for the engine`, remedy);
  if (files < GOOD_FILES)
    return report('warning', `at most ${limit} at once: a large store may need more`, remedy);
  return report('ok', `at most ${limit} at once`);
}

export async function readLimits(): Promise<string | undefined> {
  return readFile('/proc/self/limits', 'utf8').catch(() => undefined);
}

export function checkFreeBytes(subject: string, freeBytes: number): Finding {
  const report = about('disk', subject);
  const text = `${(freeBytes / 1e9).toFixed(1)} GB free`;
  if (freeBytes < LEAST_FREE_BYTES)
    return report('problem', text, 'make room before indexing: a full disk stops it');
  if (freeBytes < GOOD_FREE_BYTES) return report('warning', text, 'make room soon: merges need some, too');
  return report('ok', text);
}

/** The disk of a folder, or of the nearest one above it that is there. */
export async function checkDisk(what: string, folder: string): Promise<Finding> {
  for (let path = folder; ; path = dirname(path)) {
    try {
      const { bavail, bsize } = await statfs(path);
      return checkFreeBytes(`${what} ${folder}`, bavail * bsize);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && path !== dirname(path)) continue;
      const reason = error instanceof Error ? error.message : String(error);
      return about('disk', `${what} ${folder}`)('warning', `cannot be looked at: ${reason}`);
    }
  }
}
