import { readdirSync, readFileSync } from 'node:fs';

/** CPU of this process so far, by what runs on its threads, in seconds. */
export interface ThreadCpu {
  readonly all: number;
  /** The main thread: fetching, and messages between the others. */
  readonly main: number;
  /** The engine's query threads, which insert. */
  readonly queries: number;
  /** Every other thread of the engine, such as merges. */
  readonly engine: number;
}

const QUERY_THREADS = 'ThreadPool';
const NANOSECONDS = 1e9;

/** Only Linux reports CPU by thread. Threads that have ended are in `all` alone; the engine keeps its own. */
export function threadCpu(): ThreadCpu {
  const { user, system } = process.cpuUsage();
  const seconds = { main: 0, queries: 0, engine: 0 };
  for (const thread of process.platform === 'linux' ? readdirSync('/proc/self/task') : []) {
    const folder = `/proc/self/task/${thread}`;
    const name = readFileSync(`${folder}/comm`, 'latin1').trim();
    const used = Number(readFileSync(`${folder}/schedstat`, 'latin1').split(' ')[0]) / NANOSECONDS;
    if (Number(thread) === process.pid) seconds.main += used;
    else if (name === QUERY_THREADS) seconds.queries += used;
    else if (name !== 'node') seconds.engine += used;
  }
  return { all: (user + system) / 1e6, ...seconds };
}
