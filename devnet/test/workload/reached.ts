import type { JsonObject } from 'strata-kit/proto-json';
import { POSITIONS } from '../../src/modules/rights/positions.ts';
import type { Reader } from '../../src/state/state.ts';
import { type Happened, isThirtyTwoBytes, type TypedEvent } from './happened.ts';

/** What the rare scenarios and a clock script bring about, each with how it is seen. */

type Reached = (happened: Happened) => boolean;

const NS_PER_DAY = 86_400_000_000_000n;
const of = ({ events }: Happened, type: string): readonly JsonObject[] =>
  events.filter((event) => event.type === type).map(({ fields }) => fields);
const rows = (value: unknown): readonly JsonObject[] => value as readonly JsonObject[];
const count = (values: Iterable<unknown>): number => new Set(values).size;

/** How encumbrances of a kind end: of those that had a part released before when asked for. */
function ends(kind: string, how: 'Expired' | 'Exercised', afterPart: boolean): Reached {
  return (happened) => {
    const ids = of(happened, 'encumbrance.EventCreated')
      .filter((fields) => fields.kind === `KIND_${kind}`)
      .map(({ id }) => id);
    const parts = of(happened, 'encumbrance.EventReleased').map(({ id }) => id);
    return of(happened, `encumbrance.Event${how}`).some(
      ({ id }) => ids.includes(String(id)) && (!afterPart || parts.includes(String(id))),
    );
  };
}

/** A settlement of two assets that ended so. */
function ofTwoAssets(type: string, isWanted: (fields: JsonObject) => boolean = () => true): Reached {
  return (happened) =>
    of(happened, `settlement.${type}`).some(
      (fields) => (fields.asset_ids as readonly string[]).length === 2 && isWanted(fields),
    );
}

/** A settled settlement, by the classes of the kinds that the proposer delivers and gets back, coins as COIN. */
function strip(
  isWanted: (out: readonly string[], back: readonly string[], assets: number) => boolean,
): Reached {
  return (happened) => {
    const classes = new Map(
      of(happened, 'asset.EventAssetCreated').flatMap(({ asset_id, kinds }) =>
        rows(kinds).map((kind) => [`${asset_id}/${kind.kind_id}`, String(kind.class).slice(11)] as const),
      ),
    );
    const settled = new Set(of(happened, 'settlement.EventSettled').map(({ id }) => id));
    return of(happened, 'settlement.EventProposed').some(({ id, legs }) => {
      if (!settled.has(id)) return false;
      const side = (direction: string) =>
        rows(legs)
          .filter((leg) => leg.direction === `DIRECTION_${direction}`)
          .map(({ right }) => {
            const { asset_id, kind_id } = (right ?? {}) as JsonObject;
            return asset_id === undefined ? 'COIN' : (classes.get(`${asset_id}/${kind_id}`) ?? '');
          });
      const assets = rows(legs).flatMap(({ right }) => (right ? [(right as JsonObject).asset_id] : []));
      return isWanted(side('PROPOSER_TO_COUNTERPARTY'), side('COUNTERPARTY_TO_PROPOSER'), count(assets));
    });
  };
}

/** A record that the block itself has created, in one of its phases. */
function byTheBlock(type: string, where: TypedEvent['where']): Reached {
  return ({ events }) => events.some((event) => event.type === type && event.where === where);
}

function kindsWith(happened: Happened, type: string, denoms: number): boolean {
  const byKind = new Map<string, Set<unknown>>();
  for (const { asset_id, kind_id, denom } of of(happened, type)) {
    const key = `${asset_id}/${kind_id}`;
    byKind.set(key, (byKind.get(key) ?? new Set()).add(denom));
  }
  return [...byKind.values()].some(({ size }) => size >= denoms);
}

const isZero = (reserve: bigint): boolean => reserve === 0n;

/** What must have happened, by name. */
export const REACHED: Readonly<Record<string, Reached>> = {
  'a lien expires': ends('LIEN', 'Expired', false),
  'a lien is exercised': ends('LIEN', 'Exercised', false),
  'a lockup expires': ends('LOCKUP', 'Expired', false),
  'a part of a lien is released, and the rest expires': ends('LIEN', 'Expired', true),
  'a part of a lien is released, and the rest exercised': ends('LIEN', 'Exercised', true),
  'a part of a lockup is released, and the rest expires': ends('LOCKUP', 'Expired', true),
  'a part of a pledge is released, and the rest expires': ends('PLEDGE', 'Expired', true),
  'a part of a pledge is released, and the rest exercised': ends('PLEDGE', 'Exercised', true),

  'tiers are listed out of order': (happened) =>
    of(happened, 'waterfall.EventWaterfallSet').some(({ tiers }) =>
      rows(tiers).some(({ tier }, i) => i > 0 && Number(tier) < Number(rows(tiers)[i - 1]?.tier)),
    ),
  'two tiers share a kind, and both are paid': (happened) => {
    const paid = of(happened, 'waterfall.EventTierPaid');
    const tiers = count(paid.map(({ asset_id, tier }) => `${asset_id}/${tier}`));
    return tiers > count(paid.map(({ asset_id, kind_id }) => `${asset_id}/${kind_id}`));
  },

  'a settlement of two assets settles': ofTwoAssets('EventSettled'),
  'a settlement of two assets expires': ofTwoAssets('EventExpired'),
  'a settlement of two assets ends with the liquidation of one': ofTwoAssets(
    'EventCancelled',
    ({ reason }) => reason === 'LIQUIDATION',
  ),

  'a strip is sold with votes': strip((out) => out.includes('INCOME') && out.includes('VOTE')),
  'a strip is sold with shares of another asset': strip(
    (out, _, assets) => assets === 2 && out.includes('INCOME') && out.includes('ECONOMIC'),
  ),
  'strips of two assets are sold': strip(
    (out, _, assets) => assets === 2 && out.every((kind) => kind === 'INCOME'),
  ),
  'a strip is sold for a coin and votes': strip(
    (out, back) => out.join() === 'INCOME' && back.includes('COIN') && back.includes('VOTE'),
  ),
  'a strip and a coin are sold for a coin': strip(
    (out, back) => out.join() === 'INCOME,COIN' && back.join() === 'COIN',
  ),
  'a strip is asked for by its buyer': strip(
    (out, back) => out.join() === 'COIN' && back.join() === 'INCOME',
  ),

  'a kind has income in three denoms, each of them claimed': (happened) =>
    kindsWith(happened, 'payout.EventDistributed', 3) && kindsWith(happened, 'payout.EventClaimed', 3),
  'units of 18 decimals move, more than 64 bits of them': (happened) =>
    of(happened, 'rights.EventTransferred').some(({ units }) => BigInt(String(units)) > 1n << 64n) &&
    of(happened, 'asset.EventAssetCreated').some(({ kinds }) =>
      rows(kinds).some(({ decimals }) => decimals === 18),
    ),
  'an account of 32 bytes that is no escrow holds units': (happened) => {
    const escrows = of(happened, 'bridge.EventRouteCreated').map(({ escrow_address }) => escrow_address);
    return of(happened, 'rights.EventTransferred').some(
      ({ to }) => isThirtyTwoBytes(to) && !escrows.includes(to as string),
    );
  },
  'an account of 32 bytes is delegate, beneficiary and counterparty': (happened) =>
    of(happened, 'delegation.EventDelegated').some(({ delegate }) => isThirtyTwoBytes(delegate)) &&
    of(happened, 'encumbrance.EventCreated').some(({ beneficiary }) => isThirtyTwoBytes(beneficiary)) &&
    of(happened, 'settlement.EventProposed').some(({ counterparty }) => isThirtyTwoBytes(counterparty)),

  'a tx has several Ethereum messages': ({ batches }) => batches.some(({ length }) => length > 2),
  'a tx has Ethereum messages of two senders': ({ batches }) =>
    batches.some((messages) => count(messages.map(({ from }) => from)) > 1),
  'one of the Ethereum messages of a tx fails, another creates a contract': ({ batches }) =>
    batches.some(
      (messages) => messages.some(({ failed }) => failed) && messages.some(({ creates }) => creates),
    ),

  'a pair syncs with nothing in it': ({ syncs }) => syncs.some(({ reserves }) => reserves.every(isZero)),
  'a pair with a price syncs with one side at zero, and has a price again': ({ syncs }) =>
    syncs.some(({ pair, reserves }, i) => {
      const others = syncs.map((sync, at) => ({ ...sync, at })).filter((sync) => sync.pair === pair);
      const hasPrice = (sync: (typeof others)[number]) => !sync.reserves.some(isZero);
      return (
        reserves.some(isZero) &&
        others.some((sync) => sync.at < i && hasPrice(sync)) &&
        others.some((sync) => sync.at > i && hasPrice(sync))
      );
    }),
  'the last Sync of a pair has a reserve of zero': ({ syncs }) =>
    [...new Map(syncs.map((sync) => [sync.pair, sync])).values()].some(({ reserves }) =>
      reserves.some(isZero),
    ),

  'a route is created paused, and used later': (happened) => {
    const paused = of(happened, 'bridge.EventRouteCreated')
      .filter(({ status }) => status === 'ROUTE_STATUS_PAUSED')
      .map(({ route_id }) => route_id);
    return of(happened, 'bridge.EventTransferOut').some(({ route_id }) => paused.includes(String(route_id)));
  },

  'an asset is created before the block': byTheBlock('asset.EventAssetCreated', 'PreBlock'),
  'units are issued before the block': byTheBlock('rights.EventIssued', 'PreBlock'),
  'an attestation is made before the block': byTheBlock('attestation.EventAttested', 'PreBlock'),
  'an encumbrance is created at the begin of the block': byTheBlock('encumbrance.EventCreated', 'BeginBlock'),
  'a settlement is proposed at the begin of the block': byTheBlock('settlement.EventProposed', 'BeginBlock'),
  'a delegation is made at the begin of the block': byTheBlock('delegation.EventDelegated', 'BeginBlock'),
  'a route is created at the begin of the block': byTheBlock('bridge.EventRouteCreated', 'BeginBlock'),
  'tiers are set at the begin of the block': byTheBlock('waterfall.EventWaterfallSet', 'BeginBlock'),
  'a liquidation begins at the begin of the block': byTheBlock(
    'waterfall.EventLiquidationBegan',
    'BeginBlock',
  ),
  'an asset is created at the end of the block': byTheBlock('asset.EventAssetCreated', 'EndBlock'),
  'income is paid at the end of the block': byTheBlock('payout.EventDistributed', 'EndBlock'),
  'units leave at the end of the block': byTheBlock('bridge.EventTransferOut', 'EndBlock'),
  'a pool is redeemed at the end of the block': byTheBlock('waterfall.EventPoolRedeemed', 'EndBlock'),
  'an offer of the block is accepted by a tx': ({ events }) => {
    const offered = events.filter(({ type, where }) => type === 'settlement.EventProposed' && where !== 'tx');
    return events.some(
      ({ type, fields }) =>
        type === 'settlement.EventSettled' && offered.some((offer) => offer.fields.id === fields.id),
    );
  },

  'twenty days pass': ({ blockTimes }) => count(blockTimes.map((timeNs) => timeNs / NS_PER_DAY)) >= 20,
  'a window of a route passes': ({ events }) => {
    const used = new Map<unknown, bigint>();
    return events.some(({ type, fields: { route_id, amount, outbound_used_after } }) => {
      // other limits restart what is used too
      if (type === 'bridge.EventRouteUpdated') used.delete(route_id);
      if (type !== 'bridge.EventTransferOut') return false;
      const [before, after] = [used.get(route_id) ?? 0n, BigInt(String(outbound_used_after))];
      used.set(route_id, after);
      return before > 0n && after === BigInt(String(amount));
    });
  },
  'an attestation runs out': (happened) =>
    isOver(happened, 'attestation.EventAttested', ({ expiry }) => expiry),
  'the term of a kind runs out': (happened) =>
    isOver(happened, 'asset.EventAssetCreated', ({ kinds }) =>
      rows(kinds)
        .map(({ term }) => (term as JsonObject | null)?.ends_at)
        .find((at) => at !== undefined),
    ),
  'a delegation runs out': (happened) =>
    of(happened, 'delegation.EventEnded').some(({ reason }) => reason === 'END_REASON_EXPIRED'),
};

/** A time that one of these events names has come by the last block. */
function isOver(happened: Happened, type: string, timeOf: (fields: JsonObject) => unknown): boolean {
  const last = Number((happened.blockTimes.at(-1) ?? 0n) / 1_000_000n);
  return of(happened, type).some((fields) => Date.parse(String(timeOf(fields))) <= last);
}

/** Of the kind that has the most. */
export function mostHolders(reader: Reader): number {
  const holders = new Map<string, number>();
  for (const [key, { units }] of reader.entries(POSITIONS)) {
    const kind = key.slice(0, key.lastIndexOf('|'));
    if (units > 0n) holders.set(kind, (holders.get(kind) ?? 0) + 1);
  }
  return Math.max(...holders.values());
}
