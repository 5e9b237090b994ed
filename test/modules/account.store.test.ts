import { accountBytes, encodeBech32, toChecksumAddress } from 'strata-kit/address';
import type { JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs } from 'strata-kit/time';
import { beforeAll, describe, expect, it } from 'vitest';
import { accountAssets, votingPower } from '../../src/modules/account/holdings.ts';
import { assetsOf } from '../../src/modules/asset/assets-read.ts';
import { type DelegationRecord, delegationsByIds } from '../../src/modules/delegation/delegations-read.ts';
import { encumbrancesByIds } from '../../src/modules/encumbrance/encumbrances-read.ts';
import { accrualsOfAssets } from '../../src/modules/payout/accruals-read.ts';
import { settlementsByIds } from '../../src/modules/settlement/settlements-read.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';
import { readingAt } from './support/reading.ts';

describe('what an account holds', () => {
  const kind = (kindId: number, kindClass: string, bundle: boolean) => ({
    kindId,
    class: kindClass,
    decimals: 6,
    bundle,
    transferable: true,
    term: undefined,
    multiplier: 1n,
    bridgeable: false,
    policyOverride: undefined,
    address: new Uint8Array(20),
  });
  const asset = (...kinds: ReturnType<typeof kind>[]) => ({ status: 'ASSET_STATUS_ACTIVE', kinds });
  const assets = new Map([
    ['aa', asset(kind(0, 'ECONOMIC', true), kind(1, 'VOTE', true), kind(2, 'INCOME', false))],
    ['bb', asset(kind(0, 'ECONOMIC', false), kind(1, 'VOTE', false))],
  ]);
  const held = (assetId: string, kindId: number, units: bigint, encumbered = 0n) => ({
    assetId,
    kindId,
    units,
    encumbered,
    routed: 0n,
  });
  const lent = (holder: string, delegate: string, kindId: number, units: bigint, purposes = ['VOTE']) => ({
    ...({ id: 1n, assetId: 'aa', until: '', revocable: true, ended: '', createdHeight: 1 } as const),
    ...({ createdTxHash: '', endedHeight: null, holder, delegate, kindId, units, purposes } as const),
  });

  it('is as many whole shares as the bundle kind with the least to move', () => {
    const wholeOf = (...positions: ReturnType<typeof held>[]) =>
      accountAssets(positions, assets).map(({ asset_id, whole_units }) => `${asset_id} ${whole_units}`);
    expect(wholeOf(held('aa', 0, 9n, 2n), held('aa', 1, 8n), held('aa', 2, 1n))).toEqual(['aa 7']);
    expect(wholeOf(held('aa', 0, 9n), held('aa', 1, 8n, 8n))).toEqual(['aa 0']);
    expect(wholeOf(held('aa', 0, 9n))).toEqual(['aa 0']);
    expect(wholeOf(held('bb', 0, 9n))).toEqual(['bb 0']);
    expect(accountAssets([held('aa', 2, 5n, 2n), held('bb', 0, 0n)], assets)).toEqual([
      {
        asset_id: 'aa',
        status: 'ASSET_STATUS_ACTIVE',
        whole_units: '0',
        kinds: [{ kind_id: 2, class: 'INCOME', units: '5', encumbered: '2', transferable: '3' }],
      },
    ]);
  });

  it('votes with its own units, less those lent, more those borrowed', () => {
    const delegations: DelegationRecord[] = [
      lent('ann', 'bob', 1, 4n),
      lent('eve', 'ann', 1, 7n),
      lent('ann', 'bob', 1, 1n, ['INCOME']),
      lent('eve', 'ann', 0, 100n),
    ];
    const positions = [held('aa', 0, 50n), held('aa', 1, 10n, 5n), held('bb', 0, 3n)];
    expect(votingPower('ann', positions, delegations, assets)).toEqual([
      {
        asset_id: 'aa',
        own: '10',
        delegated_out: '4',
        delegated_in: '7',
        voting_power: { amount: '13' },
      },
    ]);
    expect(votingPower('ann', [held('bb', 1, 2n)], [lent('eve', 'ann', 1, 7n)], assets)).toEqual([
      { asset_id: 'aa', own: '0', delegated_out: '0', delegated_in: '7', voting_power: { amount: '7' } },
      { asset_id: 'bb', own: '2', delegated_out: '0', delegated_in: '0', voting_power: { amount: '2' } },
    ]);
  });
});

interface Named {
  readonly asset_id: string;
  readonly kind_id: number;
}

interface AccountJson {
  readonly address: string;
  readonly evm_address: string | null;
  readonly assets: readonly object[];
  readonly locks: readonly (Named & { readonly ref: string; readonly units: string })[];
  readonly pending_settlements: readonly { readonly id: number; readonly timeline?: object }[];
  readonly attestations: readonly {
    readonly live: boolean;
    readonly expiry: string;
    readonly revoked: boolean;
  }[];
  readonly claimable: readonly Named[];
  readonly delegations: readonly { readonly id: number }[];
  readonly voting_power: readonly object[];
  readonly latest_block_time: string;
}

type Rows = readonly JsonObject[];

/** The chain's own state, as the tests reckon with it. */
interface ChainState {
  readonly assets: Rows;
  readonly positions: Rows;
  readonly settlements: Rows;
  readonly attestations: Rows;
  readonly delegations: Rows;
}

const text = (value: unknown): string => String(value);
const units = (value: unknown): bigint => BigInt(text(value));
const least = (amounts: readonly bigint[]): bigint => amounts.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? 0n;
const inOrder = <T>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
const lockedOf = (position: JsonObject): bigint =>
  (position.locks as Rows).reduce((sum, lock) => sum + units(lock.units), 0n);

describe('the account page', () => {
  let index: IndexedDevnet;
  /** The chain's height when these tests began. */
  let head: number;
  beforeAll(async () => {
    index = await referenceWorld();
    await index.goOn(0, async () =>
      (await stateOf()).settlements.some(({ status }) => status === 'STATUS_PENDING'),
    );
    head = index.height;
  }, 120_000);

  async function stateOf(): Promise<ChainState> {
    const of = async (module: string, name: string) =>
      (await index.query(module, 'Export'))[name] as unknown as Rows;
    return {
      assets: await of('asset', 'assets'),
      positions: await of('rights', 'positions'),
      settlements: await of('settlement', 'settlements'),
      attestations: await of('attestation', 'attestations'),
      delegations: await of('delegation', 'delegations'),
    };
  }

  function accountsOf({ positions, settlements, attestations, delegations }: ChainState): string[] {
    const named = [
      ...positions.map(({ holder }) => holder),
      ...settlements.flatMap(({ proposer, counterparty }) => [proposer, counterparty]),
      ...attestations.map(({ subject }) => subject),
      ...delegations.flatMap(({ holder, delegate }) => [holder, delegate]),
    ];
    return [...new Set(named.map(text))];
  }

  function expectedAssets(account: string, { assets, positions }: ChainState): object[] {
    return assets
      .toSorted((a, b) => (text(a.id) < text(b.id) ? -1 : 1))
      .flatMap((asset) => {
        const kinds = asset.kinds as Rows;
        const held = positions.filter(
          (each) => each.holder === account && each.asset_id === asset.id && each.units !== '0',
        );
        if (held.length === 0) return [];
        const free = (kind: JsonObject): bigint => {
          const position = held.find(({ kind_id }) => kind_id === kind.kind_id);
          return position === undefined ? 0n : units(position.units) - lockedOf(position);
        };
        const parts = kinds.filter(({ bundle }) => bundle === true).map(free);
        return {
          asset_id: asset.id,
          status: asset.status,
          whole_units: text(least(parts)),
          kinds: held
            .toSorted((a, b) => Number(a.kind_id) - Number(b.kind_id))
            .map((position) => ({
              kind_id: position.kind_id,
              class: text(kinds.find(({ kind_id }) => kind_id === position.kind_id)?.class).replace(
                'KIND_CLASS_',
                '',
              ),
              units: position.units,
              encumbered: text(lockedOf(position)),
              transferable: text(units(position.units) - lockedOf(position)),
            })),
        };
      });
  }

  function expectedVotes(account: string, { assets, positions, delegations }: ChainState): object[] {
    return assets
      .toSorted((a, b) => (text(a.id) < text(b.id) ? -1 : 1))
      .flatMap(({ id, kinds }) => {
        const isVote = (row: JsonObject): boolean =>
          row.asset_id === id &&
          (kinds as Rows).some((kind) => kind.kind_id === row.kind_id && kind.class === 'KIND_CLASS_VOTE');
        const sum = (rows: Rows): bigint =>
          rows.filter(isVote).reduce((total, row) => total + units(row.units), 0n);
        const lent = delegations.filter(
          ({ ended, purposes }) =>
            ended === 'END_REASON_UNSPECIFIED' && (purposes as readonly string[]).includes('PURPOSE_VOTE'),
        );
        const own = sum(positions.filter(({ holder }) => holder === account));
        const out = sum(lent.filter(({ holder }) => holder === account));
        const into = sum(lent.filter(({ delegate }) => delegate === account));
        if (own === 0n && out === 0n && into === 0n) return [];
        return {
          asset_id: id,
          own: text(own),
          delegated_out: text(out),
          delegated_in: text(into),
          voting_power: { amount: text(own - out + into) },
        };
      });
  }

  async function expectAccount(account: string, state: ChainState): Promise<AccountJson> {
    const page = await index.api.get<AccountJson>(`/v1/accounts/${account}`);
    const headTime = formatTimeNs(index.devnet.chain.block(index.height)?.header.timeNs ?? 0n);
    expect(page.address).toBe(account);
    expect(page.latest_block_time).toBe(headTime);
    expect(page.assets).toEqual(expectedAssets(account, state));
    expect(page.voting_power).toEqual(expectedVotes(account, state));
    expect(page.locks).toEqual(
      state.positions
        .filter(({ holder }) => holder === account)
        .flatMap(({ asset_id, kind_id, locks }) =>
          (locks as Rows).map(({ ref, units: locked }) => ({ asset_id, kind_id, ref, units: locked })),
        )
        .sort((a, b) => {
          const [left, right] = [a, b].map((lock) => [lock.asset_id, lock.kind_id, lock.ref].join(' '));
          return (left ?? '') < (right ?? '') ? -1 : 1;
        }),
    );
    const pending = state.settlements.filter(
      ({ status, proposer, counterparty }) =>
        status === 'STATUS_PENDING' && (proposer === account || counterparty === account),
    );
    expect(page.pending_settlements.map(({ id }) => text(id))).toEqual(pending.map(({ id }) => id).reverse());
    for (const settlement of page.pending_settlements) {
      const own = await index.api.get<{ settlement: object }>(`/v1/settlements/${settlement.id}`);
      expect({ ...own.settlement, timeline: undefined }).toEqual({ ...settlement, timeline: undefined });
      expect(settlement.timeline).toBeUndefined();
    }
    const { attestations } = await index.api.get<{ attestations: object[] }>(
      `/v1/accounts/${account}/attestations`,
    );
    expect(page.attestations).toEqual(attestations);
    expect(page.attestations.length).toBe(
      state.attestations.filter(({ subject }) => subject === account).length,
    );
    const active = state.delegations.filter(
      ({ ended, holder, delegate }) =>
        ended === 'END_REASON_UNSPECIFIED' && (holder === account || delegate === account),
    );
    expect(page.delegations.map(({ id }) => text(id))).toEqual(active.map(({ id }) => id).reverse());
    for (const delegation of page.delegations) {
      expect(await index.api.get(`/v1/delegations/${delegation.id}`)).toEqual({ delegation });
    }
    const { entries } = await index.query('payout', 'Claimable', { address: account });
    const claimable = (entries as Rows).filter(({ total }) => total !== '0');
    expect(inOrder(page.claimable)).toEqual(inOrder(claimable));
    return page;
  }

  it('is the chain’s own state, for every account', async () => {
    const state = await stateOf();
    const lists = ['assets', 'locks', 'pending_settlements', 'attestations', 'claimable'] as const;
    const seen = new Set<string>();
    for (const account of accountsOf(state)) {
      const page = await expectAccount(account, state);
      for (const name of [...lists, 'delegations', 'voting_power'] as const)
        if (page[name].length > 0) seen.add(name);
      if (page.evm_address === null) seen.add('an account without a key');
      if (page.claimable.some((entry) => 'ref' in entry && entry.ref !== '')) seen.add('routed income');
    }
    expect([...seen].sort()).toEqual(
      [...lists, 'an account without a key', 'delegations', 'routed income', 'voting_power'].sort(),
    );
  }, 120_000);

  it('is the same in both forms of the address', async () => {
    const { positions } = await stateOf();
    const account = text(positions[0]?.holder);
    const bytes = accountBytes(account, 'aeva') ?? new Uint8Array();
    const hex = toChecksumAddress(bytes);
    const page = await index.api.get<AccountJson>(`/v1/accounts/${account}`);
    expect(page.evm_address).toBe(hex);
    expect(await index.api.get(`/v1/accounts/${hex}`)).toEqual(page);
    expect(await index.api.get(`/v1/accounts/${hex.toLowerCase()}`)).toEqual(page);
  });

  it('is empty for an unknown account, and a bad request for what is none', async () => {
    const latest_block_time = formatTimeNs(index.devnet.chain.block(head)?.header.timeNs ?? 0n);
    for (const bytes of [new Uint8Array(20).fill(7), new Uint8Array(32).fill(7)]) {
      const account = encodeBech32('aeva', bytes);
      expect(await index.api.get(`/v1/accounts/${account}`)).toEqual({
        address: account,
        evm_address: bytes.length === 20 ? '0x0707070707070707070707070707070707070707' : null,
        assets: [],
        locks: [],
        pending_settlements: [],
        attestations: [],
        claimable: [],
        delegations: [],
        voting_power: [],
        latest_block_time,
      });
    }
    const bad = ['aeva1', 'x', '0x12', encodeBech32('other', new Uint8Array(20).fill(7))];
    for (const address of bad) await index.api.expectError(`/v1/accounts/${address}`, 400);
  });

  it('is read by any number of ids, which strangers decide', async () => {
    const reading = await readingAt(index, head);
    const known = (await stateOf()).assets.map(({ id }) => text(id));
    const strangers = Array.from({ length: 5_000 }, (_, i) => i.toString(16).padStart(64, '0'));
    const assets = await assetsOf(reading, [...strangers, ...known]);
    expect([...assets.keys()].sort()).toEqual(known.toSorted());
    const accruals = await accrualsOfAssets(reading, [...strangers, ...known]);
    expect(accruals).toEqual(await accrualsOfAssets(reading, known));
    const ids = [1n, ...Array.from({ length: 40_000 }, (_, i) => BigInt(100_000 + i)), 2n];
    for (const byIds of [settlementsByIds, encumbrancesByIds, delegationsByIds])
      expect([...(await byIds(reading, ids)).keys()]).toEqual([1n, 2n]);
  });

  it('follows the chain', async () => {
    await index.goOn(2);
    const state = await stateOf();
    for (const account of accountsOf(state).slice(0, 8)) await expectAccount(account, state);
  });
});
