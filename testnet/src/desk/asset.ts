import { ChainError } from 'strata-kit/chain-error';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import type { Chain } from '../chain.ts';
import { SHARE_OF_CLASS, WHOLE, WHOLE_SHARE } from './quote.ts';

/** An asset as the chain has it at its newest block, as far as the desk needs it. */
export interface DeskAsset {
  readonly id: string;
  readonly issuer: string;
  /** Neither liquidating nor liquidated. */
  readonly isActive: boolean;
  /** 64 hex digits, or empty. */
  readonly metaHash: string;
  /** Of the bundle's kinds, which have equal ones. */
  readonly decimals: number;
  /** What may be traded: the whole share, then kinds alone; none of an asset without a bundle. */
  readonly lots: readonly Lot[];
  /** Effective: the kind's own, or the asset's. */
  policyOf(kindId: number): Policy;
}

export interface Lot {
  /** A kind's id, or WHOLE. */
  readonly kind: number;
  /** What moves, in equal units. */
  readonly kindIds: readonly number[];
  /** Without KIND_CLASS_; empty for the whole. */
  readonly className: string;
  /** Percent of the whole share's price. */
  readonly share: bigint;
  /** False: the desk only buys it, since a whole put together from kinds bought alone would cost less than one. */
  readonly isSold: boolean;
}

export interface Policy {
  readonly mode: string;
  readonly requiredTypes: readonly string[];
  readonly attesters: readonly string[];
}

/** Undefined: the chain has no such asset. Errors: AppError unavailable. */
export async function readAsset(chain: Chain, id: string): Promise<DeskAsset | undefined> {
  const path = `/${chain.facts.namespace}.asset.v1.Query/Asset`;
  try {
    const { asset } = await chain.query(path, { asset_id: id });
    return assetOf(asset as JsonObject);
  } catch (error) {
    if (error instanceof ChainError) return undefined;
    throw error;
  }
}

function assetOf(asset: JsonObject): DeskAsset {
  const kinds = list(asset.kinds).map((kind) => ({
    kindId: Number(kind.kind_id ?? 0),
    className: String(kind.class).replace('KIND_CLASS_', ''),
    decimals: Number(kind.decimals ?? 0),
    isBundled: kind.bundle === true,
    isTransferable: kind.transferable === true,
  }));
  const bundle = kinds.filter(({ isBundled }) => isBundled);
  const own = policyOf(asset.policy);
  const overrides = new Map(
    list(asset.policy_overrides).map(({ kind_id, policy }) => [Number(kind_id ?? 0), policyOf(policy)]),
  );
  return {
    id: String(asset.id),
    issuer: String(asset.issuer),
    isActive: asset.status === 'ASSET_STATUS_ACTIVE',
    metaHash: Buffer.from(String(asset.meta_hash ?? ''), 'base64').toString('hex'),
    decimals: bundle[0]?.decimals ?? 0,
    lots: lotsOf(bundle),
    policyOf: (kindId) => overrides.get(kindId) ?? own,
  };
}

interface BundleKind {
  readonly kindId: number;
  readonly className: string;
  readonly isTransferable: boolean;
}

/**
 * A class that the bundle has twice has no fixed fraction either: its kinds would add up to more than the whole. Kinds whose
 * fractions add up to less than the whole (60 % of an ECONOMIC kind that is all there is) are not sold alone. What does not
 * move is not traded, nor is the whole with it.
 */
function lotsOf(bundle: readonly BundleKind[]): readonly Lot[] {
  const count = (name: string) => bundle.filter(({ className }) => className === name).length;
  const shares = bundle.flatMap(({ kindId, className, isTransferable }) => {
    const share = SHARE_OF_CLASS[className];
    if (share === undefined || count(className) > 1 || !isTransferable) return [];
    return [{ kind: kindId, kindIds: [kindId], className, share }];
  });
  const isWholeOfParts = shares.length > 0 && shares.length === bundle.length;
  const isSold = !isWholeOfParts || shares.reduce((sum, { share }) => sum + share, 0n) === WHOLE_SHARE;
  const alone = shares.map((lot) => ({ ...lot, isSold }));
  if (bundle.length === 0 || bundle.some(({ isTransferable }) => !isTransferable)) return alone;
  const kindIds = bundle.map(({ kindId }) => kindId);
  return [{ kind: WHOLE, kindIds, className: '', share: WHOLE_SHARE, isSold: true }, ...alone];
}

function policyOf(value: Json | undefined): Policy {
  const { mode, required_types, attesters } = (value ?? {}) as JsonObject;
  return {
    mode: String(mode ?? 'POLICY_MODE_OPEN').replace('POLICY_MODE_', ''),
    requiredTypes: texts(required_types),
    attesters: texts(attesters),
  };
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function list(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}
