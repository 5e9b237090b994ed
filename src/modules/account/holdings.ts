import { groupRows } from '../../api/rows.ts';
import type { AssetRecord, KindRecord } from '../asset/records.ts';
import type { DelegationRecord } from '../delegation/delegations-read.ts';
import type { HeldPosition } from '../rights/positions-read.ts';

/** What an account's positions and delegations add up to (answers.md, "Account.assets[]"; modules.md rule 9). */

export interface AccountAssetJson {
  readonly asset_id: string;
  readonly status: string;
  readonly whole_units: string;
  readonly kinds: readonly AccountKindJson[];
}

interface AccountKindJson {
  readonly kind_id: number;
  readonly class: string;
  readonly units: string;
  readonly encumbered: string;
  readonly transferable: string;
}

export interface VotingPowerJson {
  readonly asset_id: string;
  readonly own: string;
  readonly delegated_out: string;
  readonly delegated_in: string;
  readonly voting_power: { readonly amount: string };
}

type Assets = ReadonlyMap<string, Pick<AssetRecord, 'status' | 'kinds'>>;

/** Assets of which the account has units, by id. `positions`: by asset and kind. */
export function accountAssets(positions: readonly HeldPosition[], assets: Assets): AccountAssetJson[] {
  const held = groupRows(
    positions.filter(({ units }) => units !== 0n),
    ({ assetId }) => assetId,
  );
  return [...held].flatMap(([assetId, ofAsset]) => {
    const asset = assets.get(assetId);
    if (asset === undefined) return [];
    const kinds = new Map(asset.kinds.map((kind) => [kind.kindId, kind]));
    return [
      {
        asset_id: assetId,
        status: asset.status,
        whole_units: String(wholeUnits(asset.kinds, ofAsset)),
        kinds: ofAsset.map((position) => ({
          kind_id: position.kindId,
          class: kinds.get(position.kindId)?.class ?? '',
          units: String(position.units),
          encumbered: String(position.encumbered),
          transferable: String(position.units - position.encumbered),
        })),
      },
    ];
  });
}

/** The least transferable units over the bundle kinds, of which the account may have none; 0 without a bundle. */
function wholeUnits(kinds: readonly KindRecord[], positions: readonly HeldPosition[]): bigint {
  const transferable = new Map(
    positions.map(({ kindId, units, encumbered }) => [kindId, units - encumbered]),
  );
  const parts = kinds.filter(({ bundle }) => bundle).map(({ kindId }) => transferable.get(kindId) ?? 0n);
  let least = parts[0] ?? 0n;
  for (const part of parts) if (part < least) least = part;
  return least;
}

interface Votes {
  own: bigint;
  out: bigint;
  in: bigint;
}

/** Assets in which the account has units of VOTE-class kinds, or votes with delegated ones, by id. */
export function votingPower(
  account: string,
  positions: readonly HeldPosition[],
  delegations: readonly DelegationRecord[],
  assets: Assets,
): VotingPowerJson[] {
  const isVote = (assetId: string, kindId: number): boolean =>
    assets.get(assetId)?.kinds.some((kind) => kind.kindId === kindId && kind.class === 'VOTE') ?? false;
  const byAsset = new Map<string, Votes>();
  const votesOf = (assetId: string): Votes => {
    const votes = byAsset.get(assetId) ?? { own: 0n, out: 0n, in: 0n };
    byAsset.set(assetId, votes);
    return votes;
  };
  for (const { assetId, kindId, units } of positions) {
    if (isVote(assetId, kindId)) votesOf(assetId).own += units;
  }
  for (const { assetId, kindId, units, purposes, holder, delegate } of delegations) {
    if (!purposes.includes('VOTE') || !isVote(assetId, kindId)) continue;
    if (holder === account) votesOf(assetId).out += units;
    if (delegate === account) votesOf(assetId).in += units;
  }
  return [...byAsset]
    .filter(([, votes]) => votes.own !== 0n || votes.out !== 0n || votes.in !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([assetId, votes]) => ({
      asset_id: assetId,
      own: String(votes.own),
      delegated_out: String(votes.out),
      delegated_in: String(votes.in),
      voting_power: { amount: String(votes.own - votes.out + votes.in) },
    }));
}
