import { encodeBech32 } from 'strata-kit/address';
import { utf8ToBytes } from 'strata-kit/bytes';
import { assetIdOf } from 'strata-kit/client/asset-ids';
import type { JsonObject } from 'strata-kit/proto-json';
import { derivedModuleAddress } from '../app/address.ts';
import type { ChainParameters } from '../app/parameters.ts';
import type { Plan } from '../app/plans.ts';
import { serviceAccount, workloadAccounts } from './accounts.ts';
import * as m from './messages.ts';
import { ECONOMIC, INCOME, REDEMPTION, SHARE_KINDS, UNIT, VOTE } from './scenarios/parts.ts';

/**
 * The chain's own treasury, an account of 32 bytes without a key. All it does is done by plans of the chain, so its assets
 * and deals are created by block-level events: before the block's modules (PreBlock), at its begin and at its end.
 */
export interface Treasury {
  readonly address: string;
  /** 64 hex: its first asset, of which every kind of record is made. */
  readonly assetId: string;
  readonly routeId: string;
  /** Of the workload's accounts, by name: those that the treasury deals with. */
  readonly holder: string;
  readonly trader: string;
}

export function treasuryOf({ namespace, hrp }: Pick<ChainParameters, 'namespace' | 'hrp'>): Treasury {
  const bytes = derivedModuleAddress('treasury', utf8ToBytes('strata/devnet'));
  return {
    address: encodeBech32(hrp, bytes),
    assetId: assetIdOf(namespace, bytes, 0n),
    routeId: 'treasury',
    holder: 'holder-0',
    trader: 'trader-0',
  };
}

/** Beyond the time of any block that is made. */
const FAR = '2199-12-31T00:00:00Z';
/** Blocks between the creation of the asset and what is done with it. */
const STEP = 4;
/** By then the accounts have answered. */
const LIQUIDATED_AFTER = 120;

/** Plans of a chain whose workload has this seed; the first is for the block at `from`. */
export function treasuryPlans(seed: string, parameters: ChainParameters, from: number): readonly Plan[] {
  const { hrp, stableDenom, gasDenom } = parameters;
  const treasury = treasuryOf(parameters);
  const { assetId: id, routeId } = treasury;
  const accounts = workloadAccounts(seed, hrp);
  const named = (name: string): { readonly address: string } => {
    const found = accounts.find((account) => account.name === name);
    if (found === undefined) throw new Error(`no account ${name}`);
    return found;
  };
  const [holder, trader] = [named(treasury.holder), named(treasury.trader)];
  const operator = named('operator-0');
  const authority = serviceAccount('bridge-authority', hrp);
  const faucet = serviceAccount('faucet', hrp);
  const issue = (to: { readonly address: string }): JsonObject[] =>
    SHARE_KINDS.map((_, kind) => m.issue(treasury, id, kind, to, 1_000n * UNIT));
  const right = (out: boolean, units: bigint): m.Leg => ({
    out,
    right: { assetId: id, kindId: ECONOMIC, units },
  });
  const pay = (kind: number, amount: bigint) => m.distribute(faucet, id, kind, m.coin(stableDenom, amount));
  const locked = { assetId: id, kindId: ECONOMIC, holder } as const;

  return [
    {
      height: from,
      phase: 'PreBlock',
      messages: [
        m.createAsset(treasury, {
          kinds: SHARE_KINDS,
          settlementDenom: stableDenom,
          distributionDenoms: [gasDenom],
          liensAllowed: true,
          operator,
          releaser: named('releaser-0'),
        }),
        ...[treasury, holder, trader].flatMap(issue),
        m.attest(treasury, holder, 'treasury-member', FAR),
      ],
    },
    {
      height: from + STEP,
      phase: 'BeginBlock',
      messages: [
        m.encumber(treasury, {
          kind: 'PLEDGE',
          assetId: id,
          kindId: INCOME,
          holder: treasury,
          beneficiary: trader,
          units: 300n * UNIT,
          income: true,
          exercisable: true,
          expiry: FAR,
        }),
        m.encumber(treasury, { kind: 'LOCKUP', ...locked, units: 10n * UNIT, expiry: FAR }),
        m.encumber(operator, {
          kind: 'LIEN',
          ...locked,
          units: 20n * UNIT,
          beneficiary: operator,
          evidence: new Uint8Array(32).fill(7),
        }),
        m.propose(
          treasury,
          trader,
          [right(true, 5n * UNIT), { out: false, coin: m.coin(stableDenom, 1_234n) }],
          FAR,
        ),
        m.delegate(treasury, id, VOTE, 100n * UNIT, named('delegate-0'), FAR, ['VOTE'], true),
        m.setWaterfall(treasury, id, [
          { tier: 4, kind: ECONOMIC, cap: 0n },
          { tier: 1, kind: REDEMPTION, cap: 500_000n },
        ]),
        m.createRoute(authority, {
          id: routeId,
          direction: 'RIGHT_OUT',
          assetId: id,
          bundle: true,
          status: 'PAUSED',
        }),
        pay(INCOME, 3_000_000n),
      ],
    },
    {
      height: from + 2 * STEP,
      phase: 'EndBlock',
      messages: [
        m.setRouteStatus(authority, routeId, 'ACTIVE'),
        m.transferOut(treasury, routeId, m.remoteAddress(5), 7n * UNIT),
        m.claim(treasury, id, INCOME, stableDenom),
        m.propose(treasury, holder, [right(true, UNIT)], FAR),
        m.createAsset(treasury, { kinds: [{ class: 'VOTE', decimals: 0 }], settlementDenom: stableDenom }),
        pay(ECONOMIC, 1_000_001n),
      ],
    },
    {
      height: from + LIQUIDATED_AFTER,
      phase: 'BeginBlock',
      messages: [
        m.beginLiquidation(treasury, id, stableDenom),
        m.fund(faucet, id, m.coin(stableDenom, 900_000n)),
      ],
    },
    {
      height: from + LIQUIDATED_AFTER,
      phase: 'EndBlock',
      messages: [m.redeemPool(treasury, id, REDEMPTION, 250n * UNIT)],
    },
  ];
}
