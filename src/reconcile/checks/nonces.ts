import { integer } from '../../modules/export-json.ts';
import { type CheckRow, NO_KIND } from '../../modules/reconciliation/checks.ts';
import { sideBySide } from '../side-by-side.ts';
import { type CheckContext, evaluatedRow } from './context.ts';

/** The nonce of an issuer's next asset, which is how many it has created; `created` by issuer. */
export async function checkNonces(
  context: CheckContext,
  created: ReadonlyMap<string, number>,
): Promise<readonly CheckRow[]> {
  const rows = await sideBySide([...created], async ([issuer, count]) => {
    const answer = await context.chain.ask('asset', 'NextNonce', { issuer });
    if (answer.kind === 'unserved') return [];
    const told = answer.kind === 'absent' ? '0' : integer(answer.json, 'next_nonce');
    const subject = { check: 'nonce', assetId: '', kindId: NO_KIND, subject: issuer } as const;
    return [evaluatedRow(context, subject, { next_nonce: told }, { next_nonce: String(count) })];
  });
  return rows.flat();
}
