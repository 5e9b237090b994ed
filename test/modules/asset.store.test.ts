import { createHash } from 'node:crypto';
import { formatTimeNs } from 'strata-kit/time';
import { beforeAll, describe, expect, it } from 'vitest';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';

interface ChainPolicy {
  readonly mode: string;
  readonly required_types: readonly string[];
  readonly attesters: readonly string[];
}

interface ChainAsset {
  readonly id: string;
  readonly issuer: string;
  readonly nonce: string;
  readonly status: string;
  readonly policy: ChainPolicy;
  readonly roles: { readonly operator: string; readonly releaser: string };
  readonly issuance_locked: boolean;
  readonly liens_allowed: boolean;
  readonly meta_hash: string;
  readonly settlement_denom: string;
  readonly distribution_denoms: readonly string[];
  readonly kinds: readonly {
    readonly kind_id: number;
    readonly class: string;
    readonly decimals: number;
    readonly bundle: boolean;
    readonly transferable: boolean;
    readonly term?: { readonly starts_at?: string; readonly ends_at?: string };
    readonly multiplier: string;
    readonly bridgeable: boolean;
  }[];
  readonly policy_overrides: readonly { readonly kind_id: number; readonly policy: ChainPolicy }[];
}

interface Token {
  readonly kind_id?: number;
  readonly bundle: boolean;
  readonly address: string;
}

const policyOf = ({ mode, required_types, attesters }: ChainPolicy) => ({
  mode: mode.replace('POLICY_MODE_', ''),
  required_types,
  attesters,
});

/** An asset as it must be answered, from the chain's own state and its blocks. */
async function answerOf(index: IndexedDevnet, asset: ChainAsset): Promise<object> {
  const { id, kinds } = asset;
  const tokens = (await index.query('rights', 'Tokens', { asset_id: id })).tokens as unknown as Token[];
  const { accruals } = await index.query('payout', 'Accruals', { asset_id: id });
  const { holders } = await index.query('rights', 'Export').then(({ positions }) => ({
    holders: positions as unknown as { asset_id: string; kind_id: number; units: string }[],
  }));
  const history = historyOf(index, id);
  return {
    id,
    issuer: asset.issuer,
    status: asset.status,
    policy: policyOf(asset.policy),
    roles: asset.roles,
    meta_hash: Buffer.from(asset.meta_hash, 'base64').toString('hex'),
    settlement_denom: asset.settlement_denom,
    nonce: Number(asset.nonce),
    kind_count: kinds.length,
    issuance_locked: asset.issuance_locked,
    liens_allowed: asset.liens_allowed,
    distribution_denoms: asset.distribution_denoms,
    accruals: (accruals as unknown as { kind_id: number; denom: string; total_paid: string }[]).map(
      ({ kind_id, denom, total_paid }) => expect.objectContaining({ kind_id, denom, total_paid }),
    ),
    ...history,
    kinds: await Promise.all(
      kinds.map(async (kind) => {
        const { kind_id, term, multiplier } = kind;
        const { supply } = await index.query('rights', 'Totals', { asset_id: id, kind_id });
        const override = asset.policy_overrides.find((each) => each.kind_id === kind_id);
        return {
          kind_id,
          class: kind.class.replace('KIND_CLASS_', ''),
          decimals: kind.decimals,
          bundle: kind.bundle,
          transferable: kind.transferable,
          term:
            term === undefined ? null : { starts_at: term.starts_at ?? null, ends_at: term.ends_at ?? null },
          multiplier: Number(multiplier),
          supply,
          effective_supply: {
            amount: String(BigInt(supply as string) * BigInt(multiplier)),
            multiplier: Number(multiplier),
          },
          bridgeable: kind.bridgeable,
          policy_override: override === undefined ? null : policyOf(override.policy),
          effective_policy: policyOf(override?.policy ?? asset.policy),
          policy_source: override === undefined ? 'ASSET' : 'KIND_OVERRIDE',
          holder_count: holders.filter(
            (each) => each.asset_id === id && each.kind_id === kind_id && each.units !== '0',
          ).length,
          tok20_address: tokens.find((token) => !token.bundle && (token.kind_id ?? 0) === kind_id)?.address,
        };
      }),
    ),
    latest_invariant_check: null,
    bundle_address: tokens.find(({ bundle }) => bundle)?.address,
  };
}

/** When it was created, and changed last: by the events of its own module in the chain's blocks. */
function historyOf({ devnet: { chain }, height: head }: IndexedDevnet, id: string): object {
  let created = {};
  let updated_height = 0;
  for (let height = 1; height <= head; height++) {
    const block = chain.block(height);
    const lists = [...(block?.results ?? []).map(({ events }) => events), block?.events ?? []];
    for (const [txIndex, events] of lists.entries()) {
      for (const { type, attributes } of events) {
        const isAbout = attributes.some(([key, value]) => key === 'asset_id' && value === JSON.stringify(id));
        if (!isAbout || !type.startsWith('aeva.asset.v1.')) continue;
        updated_height = height;
        if (type !== 'aeva.asset.v1.EventAssetCreated') continue;
        const tx = block?.txs[txIndex] ?? new Uint8Array(0);
        created = {
          created_height: height,
          created_tx_hash: createHash('sha256').update(tx).digest('hex').toUpperCase(),
          created_at: formatTimeNs(block?.header.timeNs ?? 0n),
        };
      }
    }
  }
  return { ...created, updated_height };
}

interface Summary {
  readonly id: string;
  readonly created_height: number;
}

describe('assets', () => {
  let index: IndexedDevnet;
  let known: readonly ChainAsset[];
  const read = async (): Promise<void> => {
    known = (await index.query('asset', 'Export')).assets as unknown as ChainAsset[];
  };
  beforeAll(async () => {
    index = await referenceWorld();
    await read();
  }, 120_000);

  const walk = async (limit: number, between: () => Promise<void> = async () => {}): Promise<Summary[]> => {
    const found: Summary[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const cursor: string = next === '' ? '' : `&cursor=${next}`;
      const page = await index.api.get<{ assets: Summary[]; next_cursor: string | null }>(
        `/v1/assets?limit=${limit}${cursor}`,
      );
      expect(page.next_cursor, 'a cursor leads on').not.toBe(next);
      found.push(...page.assets);
      next = page.next_cursor;
      await between();
    }
    return found;
  };

  it('are those of the chain, by id, whatever the page size', async () => {
    expect(known.length).toBeGreaterThan(5);
    const expected = known
      .map((each) => ({
        id: each.id,
        issuer: each.issuer,
        status: each.status,
        kind_count: each.kinds.length,
        issuance_locked: each.issuance_locked,
        meta_hash: Buffer.from(each.meta_hash, 'base64').toString('hex'),
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const limit of [Math.ceil(known.length / 3), known.length - 1, known.length, 100])
      expect(await walk(limit)).toMatchObject(expected);
    expect(expected.some(({ issuance_locked }) => issuance_locked)).toBe(true);
  });

  it('are whole: record, kinds, policies, supply, holders, income and history', async () => {
    const seen = new Set<string>();
    for (const each of known) {
      const { asset: told } = await index.api.get<{ asset: object }>(`/v1/assets/${each.id}`);
      expect(told).toEqual(await answerOf(index, each));
      if (each.policy_overrides.length > 0) seen.add('override');
      if (each.kinds.some(({ term }) => term !== undefined)) seen.add('term');
      if (each.kinds.some(({ multiplier }) => multiplier !== '1')) seen.add('multiplier');
      if (each.status !== 'ASSET_STATUS_ACTIVE') seen.add('liquidation');
      if (each.policy.mode !== 'POLICY_MODE_OPEN') seen.add('policy');
    }
    expect([...seen].sort()).toEqual(['liquidation', 'multiplier', 'override', 'policy', 'term']);
    await index.api.expectError(`/v1/assets/${'e'.repeat(64)}`, 404);
    for (const malformed of ['e'.repeat(63), 'E'.repeat(64), 'x']) {
      await index.api.expectError(`/v1/assets/${malformed}`, 400);
    }
  });

  it('stay in their place while blocks arrive', async () => {
    const before = known.map(({ id }) => id);
    let pages = 0;
    const isMore = async (): Promise<boolean> => {
      await read();
      return known.length > before.length;
    };
    const limit = Math.ceil(before.length / 4);
    const found = (
      await walk(limit, async () => {
        if (pages++ === 0) await index.goOn(1, isMore);
      })
    ).map(({ id }) => id);
    expect(pages).toBeGreaterThan(3);
    expect(found).toEqual(found.toSorted());
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(before));
  }, 120_000);

  it('are found by their ids and by the addresses of their tokens, which are no accounts then', async () => {
    const find = async (q: string) =>
      (await index.api.get<{ candidates: object[] }>(`/v1/lookup/${q}`)).candidates;
    for (const { id, kinds } of known.slice(0, 4)) {
      expect(await find(id)).toEqual([{ type: 'asset', id }]);
      expect(await find(id.toUpperCase())).toEqual([{ type: 'asset', id }]);
      const { tokens } = await index.query('rights', 'Tokens', { asset_id: id });
      expect(tokens).toHaveLength(kinds.length + 1);
      for (const token of tokens as unknown as {
        kind_id: number | null;
        bundle: boolean;
        address: string;
      }[]) {
        const which = token.bundle ? { bundle: true } : { kind_id: token.kind_id ?? 0 };
        expect(await find(token.address)).toEqual([{ type: 'asset', id, ...which }]);
      }
    }
    expect(await find('c'.repeat(64))).toEqual([]);
    const { issuer } = known[0] ?? { issuer: '' };
    expect(await find(issuer)).toMatchObject([{ type: 'account', id: issuer, known: true }]);
    expect(await find(`0x${'d'.repeat(40)}`)).toMatchObject([{ type: 'account', known: false }]);
  });
});
