import type { Json, JsonObject } from 'strata-kit/proto-json';
import type { Account } from './accounts.ts';

/** The messages of modules.md section 2 as proto-JSON. The signer is always the first argument; units are bigint. */

type Who = Pick<Account, 'address'>;

export type KindClass = 'ECONOMIC' | 'INCOME' | 'VOTE' | 'REDEMPTION';

export interface KindSpec {
  readonly class: KindClass;
  readonly decimals?: number;
  readonly bundle?: boolean;
  readonly transferable?: boolean;
  readonly bridgeable?: boolean;
  readonly multiplier?: bigint;
  /** RFC 3339. */
  readonly term?: { readonly starts_at: string; readonly ends_at: string };
}

export type PolicyMode = 'OPEN' | 'ATTESTED' | 'CLOSED';

export interface CreateAssetFields {
  readonly kinds: readonly KindSpec[];
  readonly settlementDenom: string;
  readonly distributionDenoms?: readonly string[];
  readonly liensAllowed?: boolean;
  readonly policy?: JsonObject;
  readonly operator?: Who;
  readonly releaser?: Who;
  /** 32 bytes, or none. */
  readonly metaHash?: Uint8Array;
}

function message(type: string, fields: JsonObject): JsonObject {
  return { '@type': `/<ns>.${type}`, ...fields };
}

const base64 = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('base64');

export function policy(
  mode: PolicyMode,
  requiredTypes: readonly string[] = [],
  attesters: readonly Who[] = [],
): JsonObject {
  return {
    mode: `POLICY_MODE_${mode}`,
    required_types: requiredTypes,
    attesters: attesters.map(({ address }) => address),
  };
}

export const coin = (denom: string, amount: bigint): JsonObject => ({ denom, amount: String(amount) });

export const bankSend = (from: Who, to: string, ...coins: JsonObject[]): JsonObject => ({
  '@type': '/cosmos.bank.v1beta1.MsgSend',
  from_address: from.address,
  to_address: to,
  amount: coins,
});

export const createAsset = (issuer: Who, fields: CreateAssetFields): JsonObject =>
  message('asset.v1.MsgCreateAsset', {
    issuer: issuer.address,
    policy: fields.policy ?? policy('OPEN'),
    roles: roles(fields.operator, fields.releaser),
    meta_hash: base64(fields.metaHash),
    settlement_denom: fields.settlementDenom,
    liens_allowed: fields.liensAllowed ?? false,
    distribution_denoms: fields.distributionDenoms ?? [],
    kinds: fields.kinds.map((kind) => ({
      class: `KIND_CLASS_${kind.class}`,
      decimals: kind.decimals ?? 6,
      bundle: kind.bundle ?? false,
      transferable: kind.transferable ?? true,
      multiplier: String(kind.multiplier ?? 1n),
      bridgeable: kind.bridgeable ?? false,
      ...(kind.term === undefined ? {} : { term: { ...kind.term } }),
    })),
  });

function roles(operator?: Who, releaser?: Who): JsonObject {
  return { operator: operator?.address ?? '', releaser: releaser?.address ?? '' };
}

export const lockIssuance = (issuer: Who, asset_id: string): JsonObject =>
  message('asset.v1.MsgLockIssuance', { issuer: issuer.address, asset_id });

/** Of the asset, or of one kind; without a policy a kind's override is taken away. */
export const setPolicy = (
  issuer: Who,
  asset_id: string,
  to: JsonObject | undefined,
  kind?: number,
): JsonObject =>
  message('asset.v1.MsgSetPolicy', {
    issuer: issuer.address,
    asset_id,
    ...(kind === undefined ? {} : { kind_id: kind }),
    ...(to === undefined ? {} : { policy: to }),
  });

export const setRoles = (issuer: Who, asset_id: string, operator?: Who, releaser?: Who): JsonObject =>
  message('asset.v1.MsgSetRoles', { issuer: issuer.address, asset_id, roles: roles(operator, releaser) });

export const updateKind = (
  issuer: Who,
  asset_id: string,
  kind_id: number,
  to: { readonly transferable: boolean; readonly multiplier: bigint; readonly bridgeable: boolean },
): JsonObject =>
  message('asset.v1.MsgUpdateKind', {
    issuer: issuer.address,
    asset_id,
    kind_id,
    transferable: to.transferable,
    multiplier: String(to.multiplier),
    bridgeable: to.bridgeable,
  });

export const updateAsset = (
  issuer: Who,
  asset_id: string,
  liens_allowed: boolean,
  distribution_denoms: readonly string[],
): JsonObject =>
  message('asset.v1.MsgUpdateAsset', {
    issuer: issuer.address,
    asset_id,
    liens_allowed,
    distribution_denoms,
  });

export const issue = (issuer: Who, asset_id: string, kind_id: number, to: Who, units: bigint): JsonObject =>
  message('rights.v1.MsgIssue', {
    issuer: issuer.address,
    asset_id,
    kind_id,
    recipient: to.address,
    units: String(units),
  });

export const transfer = (from: Who, asset_id: string, kind_id: number, to: Who, units: bigint): JsonObject =>
  message('rights.v1.MsgTransfer', {
    from: from.address,
    asset_id,
    kind_id,
    to: to.address,
    units: String(units),
  });

export const redeem = (holder: Who, asset_id: string, kind_id: number, units: bigint): JsonObject =>
  message('rights.v1.MsgRedeem', { holder: holder.address, asset_id, kind_id, units: String(units) });

export const distribute = (payer: Who, asset_id: string, kind_id: number, amount: JsonObject): JsonObject =>
  message('payout.v1.MsgDistribute', { payer: payer.address, asset_id, kind_id, amount });

/** Without a ref the claimant's own units, with one a route's. */
export const claim = (
  claimant: Who,
  asset_id: string,
  kind_id: number,
  denom: string,
  ref = '',
): JsonObject => message('payout.v1.MsgClaim', { claimant: claimant.address, asset_id, kind_id, denom, ref });

export interface Leg {
  /** From the proposer to the counterparty, or the other way. */
  readonly out: boolean;
  readonly right?: { readonly assetId: string; readonly kindId: number; readonly units: bigint };
  readonly coin?: JsonObject;
}

export const propose = (
  proposer: Who,
  counterparty: Who,
  legs: readonly Leg[],
  expiry: string,
  memoHash?: Uint8Array,
): JsonObject =>
  message('settlement.v1.MsgPropose', {
    proposer: proposer.address,
    counterparty: counterparty.address,
    legs: legs.map(legJson),
    expiry,
    memo_hash: base64(memoHash),
  });

function legJson({ out, right, coin: amount }: Leg): JsonObject {
  const item: Record<string, Json> = {
    direction: out ? 'DIRECTION_PROPOSER_TO_COUNTERPARTY' : 'DIRECTION_COUNTERPARTY_TO_PROPOSER',
  };
  if (right !== undefined) {
    item.right = { asset_id: right.assetId, kind_id: right.kindId, units: String(right.units) };
  }
  if (amount !== undefined) item.coin = amount;
  return item;
}

export const accept = (counterparty: Who, id: string): JsonObject =>
  message('settlement.v1.MsgAccept', { counterparty: counterparty.address, id });

export const cancel = (actor: Who, id: string): JsonObject =>
  message('settlement.v1.MsgCancel', { actor: actor.address, id });

export interface EncumbranceFields {
  readonly kind: 'PLEDGE' | 'LIEN' | 'LOCKUP';
  readonly assetId: string;
  readonly kindId: number;
  readonly holder: Who;
  readonly units: bigint;
  readonly beneficiary?: Who;
  readonly income?: boolean;
  readonly exercisable?: boolean;
  /** RFC 3339. */
  readonly holderReleaseAfter?: string;
  readonly expiry?: string;
  readonly evidence?: Uint8Array;
}

export const encumber = (actor: Who, fields: EncumbranceFields): JsonObject =>
  message('encumbrance.v1.MsgCreate', {
    actor: actor.address,
    kind: `KIND_${fields.kind}`,
    asset_id: fields.assetId,
    kind_id: fields.kindId,
    holder: fields.holder.address,
    units: String(fields.units),
    beneficiary: fields.beneficiary?.address ?? '',
    income_to_beneficiary: fields.income ?? false,
    exercisable: fields.exercisable ?? false,
    evidence_hash: base64(fields.evidence),
    ...(fields.holderReleaseAfter === undefined ? {} : { holder_release_after: fields.holderReleaseAfter }),
    ...(fields.expiry === undefined ? {} : { expiry: fields.expiry }),
  });

export const release = (actor: Who, id: string, units: bigint): JsonObject =>
  message('encumbrance.v1.MsgRelease', { actor: actor.address, id, units: String(units) });

export const exercise = (actor: Who, id: string): JsonObject =>
  message('encumbrance.v1.MsgExercise', { actor: actor.address, id });

export const attest = (
  attester: Who,
  subject: Who,
  type: string,
  expiry: string,
  evidence?: Uint8Array,
): JsonObject =>
  message('attestation.v1.MsgAttest', {
    attester: attester.address,
    subject: subject.address,
    type,
    expiry,
    evidence_hash: base64(evidence),
  });

export const revokeAttestation = (attester: Who, subject: Who, type: string): JsonObject =>
  message('attestation.v1.MsgRevoke', { attester: attester.address, subject: subject.address, type });

export const delegate = (
  holder: Who,
  asset_id: string,
  kind_id: number,
  units: bigint,
  to: Who,
  until: string,
  purposes: readonly ('VOTE' | 'INCOME')[],
  revocable: boolean,
): JsonObject =>
  message('delegation.v1.MsgDelegate', {
    holder: holder.address,
    asset_id,
    kind_id,
    units: String(units),
    delegate: to.address,
    until,
    purposes: purposes.map((purpose) => `PURPOSE_${purpose}`),
    revocable,
  });

export const revokeDelegation = (holder: Who, id: string): JsonObject =>
  message('delegation.v1.MsgRevoke', { holder: holder.address, id });

export const returnDelegation = (to: Who, id: string): JsonObject =>
  message('delegation.v1.MsgReturn', { delegate: to.address, id });

export const setWaterfall = (
  issuer: Who,
  asset_id: string,
  tiers: readonly { readonly tier: number; readonly kind: number; readonly cap: bigint }[],
): JsonObject =>
  message('waterfall.v1.MsgSetWaterfall', {
    issuer: issuer.address,
    asset_id,
    tiers: tiers.map(({ tier, kind, cap }) => ({ tier, kind_id: kind, cap: String(cap) })),
  });

export const beginLiquidation = (initiator: Who, asset_id: string, denom: string): JsonObject =>
  message('waterfall.v1.MsgBeginLiquidation', { initiator: initiator.address, asset_id, denom });

export const fund = (payer: Who, asset_id: string, amount: JsonObject): JsonObject =>
  message('waterfall.v1.MsgFund', { payer: payer.address, asset_id, amount });

export const redeemPool = (holder: Who, asset_id: string, kind_id: number, units: bigint): JsonObject =>
  message('waterfall.v1.MsgRedeemPool', { holder: holder.address, asset_id, kind_id, units: String(units) });

export const closeLiquidation = (issuer: Who, asset_id: string): JsonObject =>
  message('waterfall.v1.MsgCloseLiquidation', { issuer: issuer.address, asset_id });

export interface RouteFields {
  readonly id: string;
  readonly direction: 'NATIVE_OUT' | 'SYNTHETIC_IN' | 'RIGHT_OUT';
  readonly denom?: string;
  readonly windowSeconds?: bigint;
  readonly outboundLimit?: bigint;
  readonly inboundLimit?: bigint;
  readonly assetId?: string;
  readonly kindId?: number;
  readonly bundle?: boolean;
  readonly display?: string;
  readonly exponent?: number;
  /** Active unless given. */
  readonly status?: 'ACTIVE' | 'PAUSED';
}

export const createRoute = (authority: Who, fields: RouteFields): JsonObject =>
  message('bridge.v1.MsgCreateRoute', {
    authority: authority.address,
    route_id: fields.id,
    remote_domain: 8453,
    remote_contract: remoteAddress(1),
    direction: `DIRECTION_${fields.direction}`,
    local_denom: fields.denom ?? '',
    window_seconds: String(fields.windowSeconds ?? 0n),
    outbound_limit: String(fields.outboundLimit ?? 0n),
    inbound_limit: String(fields.inboundLimit ?? 0n),
    warp_token_id: `warp-${fields.id}`,
    display: fields.display ?? fields.id,
    exponent: fields.exponent ?? 6,
    asset_id: fields.assetId ?? '',
    ...(fields.kindId === undefined ? {} : { kind_id: fields.kindId }),
    bundle: fields.bundle ?? false,
    ...(fields.status === undefined ? {} : { status: `ROUTE_STATUS_${fields.status}` }),
  });

/** A bytes32 of the other chain, by number. */
export function remoteAddress(n: number): string {
  return `0x${n.toString(16).padStart(64, '0')}`;
}

export const setRouteStatus = (authority: Who, route_id: string, status: 'ACTIVE' | 'PAUSED'): JsonObject =>
  message('bridge.v1.MsgSetRouteStatus', {
    authority: authority.address,
    route_id,
    status: `ROUTE_STATUS_${status}`,
  });

export const setLimits = (
  authority: Who,
  route_id: string,
  outbound: bigint,
  inbound: bigint,
  windowSeconds: bigint,
): JsonObject =>
  message('bridge.v1.MsgSetLimits', {
    authority: authority.address,
    route_id,
    outbound_limit: String(outbound),
    inbound_limit: String(inbound),
    window_seconds: String(windowSeconds),
  });

export const transferOut = (sender: Who, route_id: string, recipient: string, amount: bigint): JsonObject =>
  message('bridge.v1.MsgTransferOut', {
    sender: sender.address,
    route_id,
    recipient,
    amount: String(amount),
  });

export const receiveIn = (
  relayer: Who,
  route_id: string,
  sender: string,
  recipient: string,
  amount: bigint,
  message_id: string,
): JsonObject =>
  message('bridge.v1.MsgReceiveIn', {
    relayer: relayer.address,
    route_id,
    sender,
    recipient,
    amount: String(amount),
    message_id,
  });
