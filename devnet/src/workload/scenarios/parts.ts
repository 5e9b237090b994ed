import { assetIdOf } from 'strata-kit/client/asset-ids';
import type { JsonObject } from 'strata-kit/proto-json';
import { NONCES } from '../../modules/asset/records.ts';
import { transferable } from '../../modules/rights/keeper.ts';
import type { Account } from '../accounts.ts';
import type { Asset } from '../assets.ts';
import { type CreateAssetFields, coin, createAsset, issue, type KindSpec } from '../messages.ts';
import type { Stage } from '../stage.ts';
import { NotNow, type Steps, send } from '../step.ts';

/** What scenarios have in common. */

/** 6 decimals. */
export const UNIT = 1_000_000n;

export const ECONOMIC = 0;
export const INCOME = 1;
export const VOTE = 2;
export const REDEMPTION = 3;

/** Of the assets that scenarios share: whole shares of three kinds, and a kind to redeem. */
export const SHARE_KINDS: readonly KindSpec[] = [
  { class: 'ECONOMIC', bundle: true, bridgeable: true },
  { class: 'INCOME', bundle: true, bridgeable: true },
  { class: 'VOTE', bundle: true, bridgeable: true },
  { class: 'REDEMPTION' },
];

export const stable = (stage: Stage, amount: bigint): JsonObject =>
  coin(stage.parameters.stableDenom, amount);
export const gas = (stage: Stage, amount: bigint): JsonObject => coin(stage.parameters.gasDenom, amount);

export interface Launch extends Partial<CreateAssetFields> {
  readonly issuer: Account;
  /** Who gets units of every kind; in one tx with the asset. */
  readonly holders: readonly Account[];
  readonly units?: bigint;
  readonly operator?: Account;
  readonly releaser?: Account;
  readonly kinds?: readonly KindSpec[];
  /** Behind the issues, in the same tx. */
  readonly also?: (assetId: string) => readonly JsonObject[];
}

/** Creates an asset and issues its kinds in one tx, by the id that it will have (api.md, section 4). */
export function* launch(stage: Stage, { issuer, holders, units, also, ...fields }: Launch): Steps<Asset> {
  const kinds = fields.kinds ?? SHARE_KINDS;
  const id = nextAssetId(stage, issuer);
  yield* send(
    issuer,
    createAsset(issuer, {
      settlementDenom: stage.parameters.stableDenom,
      distributionDenoms: [stage.parameters.gasDenom],
      metaHash: stage.random.bytes(32),
      ...fields,
      kinds,
    }),
    ...holders.flatMap((holder) =>
      kinds.map((_, kind) => issue(issuer, id, kind, holder, units ?? 1_000n * UNIT)),
    ),
    ...(also?.(id) ?? []),
  );
  const { operator, releaser } = fields;
  return { id, issuer, operator, releaser, kinds, users: 0 };
}

export function nextAssetId(stage: Stage, issuer: Account): string {
  const nonce = stage.reader.get(NONCES, issuer.address) ?? 0n;
  return assetIdOf(stage.parameters.namespace, issuer.bytes, nonce);
}

/** A shared asset, whose others leave it be meanwhile. Errors: NotNow. */
export function anAsset(stage: Stage): Asset {
  const assets = stage.assets.list();
  if (assets.length === 0) throw new NotNow('no asset yet');
  return stage.use(stage.random.pick(assets));
}

export function free(stage: Stage, { id }: Asset, kind: number, holder: Account): bigint {
  return transferable(stage.reader, id, kind, holder.address);
}

/** Takes an account with that many free units of each of these kinds. Errors: NotNow. */
export function aHolder(
  stage: Stage,
  asset: Asset,
  kinds: readonly number[],
  least: bigint = UNIT,
  isWanted: (account: Account) => boolean = () => true,
): Account {
  const { accounts, random } = stage;
  const start = random.below(accounts.length);
  for (let i = 0; i < accounts.length; i++) {
    const account = accounts[(start + i) % accounts.length] as Account;
    if (!stage.isFree(account) || account === asset.issuer || !isWanted(account)) continue;
    if (kinds.every((kind) => free(stage, asset, kind, account) >= least)) return stage.takeThis(account);
  }
  throw new NotNow('no holder');
}

/** A part of what the holder has free: a hundredth to a tenth, at least one. */
export function aPart(stage: Stage, asset: Asset, kind: number, holder: Account): bigint {
  const units = free(stage, asset, kind, holder) / BigInt(stage.random.between(10, 100));
  return units > 0n ? units : 1n;
}

/** Someone else, who need not sign. */
export function another(stage: Stage, ...but: readonly Account[]): Account {
  const role = stage.random.pick(['holder', 'trader', 'issuer', 'bridge user'] as const);
  return stage.anyone(role, ...but);
}
