import type { CommandContext } from 'strata-kit/cli/context';
import { isStrataError, StrataError } from 'strata-kit/errors';
import { askControl } from '../../admin/control.ts';
import type { StoreChoice } from '../../core/store-choice.ts';
import type { Reconciliation } from '../../reconcile/reconcile.ts';
import { EXIT_NOTHING } from '../failure.ts';
import { controlPath, VERIFY_REQUEST } from '../folder-control.ts';
import { withStores } from '../stores.ts';
import { type Verification, verifyStores } from '../verification.ts';
import { formatReconciliation } from '../verification-table.ts';

export interface VerifyOptions extends Verification {
  readonly store: StoreChoice;
  readonly json: boolean;
}

/**
 * strata verify: the store against the chain's own numbers as of a height. Prints what agreed and what did not, stores
 * it, and fails where something did not; where nothing was compared it says why and ends with EXIT_NOTHING. The process
 * that has an embedded store open does it, this one where there is none.
 */
export async function verify(options: VerifyOptions, context: CommandContext): Promise<void> {
  const { json, store, ...wish } = options;
  const found = await compare(store, wish, context.signal);
  if (found === null) {
    context.log.warn('nothing was compared: the store derives no modules');
    context.fail(EXIT_NOTHING);
    return;
  }
  for (const { path, reason, count } of found.unserved) {
    context.log.warn({ path, count, reason }, `the chain does not serve ${path} at height ${found.height}`);
  }
  if (json) context.print(JSON.stringify(found));
  else for (const line of formatReconciliation(found)) context.print(line);
  const isWrong = found.disagreed > 0 || found.exports.some(({ differences }) => differences.length > 0);
  if (isWrong) context.fail();
  else if (!isCompared(found)) {
    const reason =
      found.unserved.length > 0
        ? 'the chain does not serve its numbers'
        : `the store has no record at height ${found.height} to ask the chain about`;
    context.log.warn(`nothing was compared: ${reason}`);
    context.fail(EXIT_NOTHING);
  }
}

function isCompared({ agreed, disagreed, exports }: Reconciliation): boolean {
  return agreed + disagreed > 0 || exports.some(({ records }) => records > 0);
}

async function compare(
  store: VerifyOptions['store'],
  wish: Verification,
  signal: AbortSignal,
): Promise<Reconciliation | null> {
  if (store.kind === 'embedded') {
    const answer = await askControl(controlPath(store.folder), VERIFY_REQUEST, wish);
    if (answer !== undefined) return answer.result as Reconciliation | null;
  }
  return withStores(store, (stores) => verifyStores(stores, wish, signal), { mustExist: true }).catch(
    sayWhoIsAsked,
  );
}

function sayWhoIsAsked(error: unknown): never {
  if (!isStrataError(error, 'store_in_use')) throw error;
  throw new StrataError(
    'store_in_use',
    `${error.message}. That process cannot be asked for a comparison: it is strata engine (give its URL as --clickhouse), ` +
      "or its data folder's path is too long or its disk unfit for a socket (control.sock)",
    { cause: error },
  );
}
