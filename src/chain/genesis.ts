import type { ChainLog } from './log.ts';
import { createPrefixTally, type PrefixTally } from './prefix-tally.ts';
import { type BlockSource, isRpcCaller, type RpcCaller } from './source.ts';

/** The genesis where only its beginning matters: a whole one may have hundreds of megabytes. */

/** A genesis may come slowly, and no answer of it is worth a longer wait. */
const GENESIS_TIMEOUT_MS = 20_000;
const MAX_ADDRESSES = 1_000;
/** Of app_state.auth, which has the accounts of the chain itself; other modules may list those of other chains. */
const ACCOUNTS = /"auth"\s*:\s*\{.{0,2000}?"accounts"\s*:\s*\[/s;
const QUOTED_ADDRESS = /"([a-z][a-z0-9]{0,82}1[02-9ac-hj-np-z]{38,64})"/g;

/** The first chunk (16 MB) of a node's genesis. Errors: those of the node. */
export async function askGenesisStart(source: RpcCaller, signal?: AbortSignal): Promise<string> {
  const timeout = AbortSignal.timeout(GENESIS_TIMEOUT_MS);
  const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  // chunked: the whole is refused when it is large
  const answer = JSON.parse(await source.call('genesis_chunked', { chunk: '0' }, stop)) as {
    readonly data?: unknown;
  };
  return Buffer.from(String(answer.data ?? ''), 'base64').toString('latin1');
}

/**
 * The addresses in a source's genesis. Undefined where it has none at hand or its node does not give it.
 * Errors: none but `aborted`.
 */
export async function tallyGenesis(
  source: BlockSource,
  log: ChainLog,
  signal?: AbortSignal,
): Promise<PrefixTally | undefined> {
  try {
    const text = source.genesis ?? (isRpcCaller(source) ? await askGenesisStart(source, signal) : undefined);
    return text === undefined ? undefined : tallyAddresses(text);
  } catch (error) {
    if (signal?.aborted === true) throw error;
    // what the genesis does not show, the blocks may
    const reason = error instanceof Error ? error.message : String(error);
    log.info({ reason }, "the chain's genesis cannot be asked");
    return undefined;
  }
}

function tallyAddresses(text: string): PrefixTally {
  const tally = createPrefixTally();
  const accounts = ACCOUNTS.exec(text);
  QUOTED_ADDRESS.lastIndex = accounts === null ? 0 : accounts.index + accounts[0].length;
  while (tally.count < MAX_ADDRESSES) {
    const match = QUOTED_ADDRESS.exec(text);
    if (match === null) break;
    tally.add(match[1] ?? '');
  }
  return tally;
}
