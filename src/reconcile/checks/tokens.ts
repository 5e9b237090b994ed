import { toChecksumAddress } from 'strata-kit/address';
import { bundleAddressOf, rightAddressOf } from '../../modules/asset/ids.ts';
import { list, text } from '../../modules/export-json.ts';
import { type CheckRow, NO_KIND } from '../../modules/reconciliation/checks.ts';
import { sideBySide } from '../side-by-side.ts';
import { type CheckContext, type CheckedAsset, evaluatedRow, unevaluatedRow } from './context.ts';

/** The chain's registry of precompiles against the address formulas (api.md, Tok20Check). */
export async function checkTokens(
  context: CheckContext,
  assets: readonly CheckedAsset[],
  kindsOf: ReadonlyMap<string, readonly number[]>,
): Promise<readonly CheckRow[]> {
  const rows = await sideBySide(assets, ({ assetId }) =>
    checkAsset(context, assetId, kindsOf.get(assetId) ?? []),
  );
  return rows.flat();
}

async function checkAsset(
  context: CheckContext,
  assetId: string,
  kindIds: readonly number[],
): Promise<readonly CheckRow[]> {
  const { namespace } = context;
  const formulas = new Map([
    [NO_KIND, toChecksumAddress(bundleAddressOf(namespace, assetId))],
    ...kindIds.map(
      (kindId) => [kindId, toChecksumAddress(rightAddressOf(namespace, assetId, kindId))] as const,
    ),
  ]);
  const answer = await context.chain.ask('rights', 'Tokens', { asset_id: assetId });
  const registered = new Map<number, string>();
  for (const token of answer.kind === 'answer' ? list(answer.json, 'tokens') : []) {
    registered.set(token.bundle === true ? NO_KIND : Number(text(token, 'kind_id')), text(token, 'address'));
  }
  const makeRow = answer.kind === 'unserved' ? unevaluatedRow : evaluatedRow;
  return [...new Set([...formulas.keys(), ...registered.keys()])].map((kindId) =>
    makeRow(
      context,
      { check: 'token', assetId, kindId, subject: '' },
      { address: registered.get(kindId) ?? '' },
      { address: formulas.get(kindId) ?? '' },
    ),
  );
}
