import { asOf, latestVersions } from '../../api/as-of.ts';
import type { Reading, RouteContext } from '../../api/route.ts';
import { groupRows, readAll } from '../../api/rows.ts';
import { selection } from '../../core/reading.ts';
import { hexLiteral, quote, uintLiteral } from '../../store/sql.ts';
import { inParts } from '../in-parts.ts';
import { assetOfRow, kindOfRow } from './asset-rows.ts';
import type { AssetRecord } from './records.ts';
import { ASSET_KINDS, ASSET_TOKENS, ASSETS } from './tables.ts';

const ASSET_ROWS = selection(ASSETS);
const KIND_ROWS = selection(ASSET_KINDS);
const TOKEN_ROWS = selection(ASSET_TOKENS, ['asset_id', 'kind_id', 'bundle']);

/** An asset as of the snapshot. */
export interface AssetVersion extends AssetRecord {
  /** Height of the last change of the record, its kinds' configuration, a policy, its status or the issuance lock. */
  readonly updatedHeight: number;
}

/** Requests that ask at the same time share its queries. */
export function assetOf(
  context: Pick<RouteContext, 'gather'>,
  assetId: string,
): Promise<AssetVersion | undefined> {
  return context.gather(assetsOf, assetId);
}

/** Those that are known, by id. */
export async function assetsOf(
  context: Reading,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, AssetVersion>> {
  const assets = await inParts(assetIds, (part) => readAssets(context, part));
  return new Map(assets.map((asset) => [asset.id, asset]));
}

async function readAssets(
  { snapshot, query }: Reading,
  assetIds: readonly string[],
): Promise<readonly AssetVersion[]> {
  const where = `asset_id IN (${assetIds.map(quote).join(', ')})`;
  const [assetRows, kindRows] = await Promise.all([
    query(latestVersions(snapshot, ASSETS, ASSET_ROWS.columns, where)),
    query(latestVersions(snapshot, ASSET_KINDS, KIND_ROWS.columns, where)),
  ]);
  const kinds = groupRows(readAll(kindRows, KIND_ROWS.read), ({ asset_id }) => asset_id);
  return readAll(assetRows, ASSET_ROWS.read).map((row) => ({
    ...assetOfRow(row),
    kinds: (kinds.get(row.asset_id) ?? []).map(kindOfRow),
    updatedHeight: row.height,
  }));
}

/** Whether an asset has been created. Requests that ask at the same time share its query. */
export async function hasAsset(context: Pick<RouteContext, 'gather'>, assetId: string): Promise<boolean> {
  return (await context.gather(knownAssets, assetId)) === true;
}

async function knownAssets(
  { snapshot, query }: Reading,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, true>> {
  const condition = `${asOf(snapshot, ASSETS)} AND asset_id IN (${assetIds.map(quote).join(', ')})`;
  const rows = await query(`SELECT DISTINCT asset_id FROM ${ASSETS.name} WHERE ${condition}`);
  return new Map(readAll(rows, (row) => [row.string(), true]));
}

/** What lives at an address of the EVM (20 bytes); kindId undefined for a bundle. */
export interface Token {
  readonly assetId: string;
  readonly kindId: number | undefined;
}

export async function tokenAt({ snapshot, query }: Reading, address: Uint8Array): Promise<Token | undefined> {
  const condition = `${asOf(snapshot, ASSET_TOKENS)} AND address = ${hexLiteral(address)}`;
  const sql = `SELECT ${TOKEN_ROWS.columns} FROM ${ASSET_TOKENS.name} WHERE ${condition} LIMIT ${uintLiteral(1)}`;
  const [token] = readAll(await query(sql), TOKEN_ROWS.read);
  return token && { assetId: token.asset_id, kindId: token.bundle ? undefined : token.kind_id };
}
