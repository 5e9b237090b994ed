import { createHash } from 'node:crypto';
import type { AbciEvent } from 'strata-kit/abci-event';
import { canonicalAccount } from 'strata-kit/address';
import { formatTimeNs } from 'strata-kit/time';
import { beforeAll, describe, expect, it } from 'vitest';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';

interface ActivityEvent {
  readonly height: number;
  readonly tx_index: number;
  readonly event_index: number;
  readonly tx_hash: string | null;
  readonly block_time: string;
  readonly type: string;
  readonly mode?: string;
  readonly decoded: Readonly<Record<string, unknown>>;
}

interface Page {
  readonly events: readonly ActivityEvent[];
  readonly next_cursor: string | null;
}

interface Feeds {
  /** Newest first, by account and by asset id. */
  readonly accounts: ReadonlyMap<string, readonly ActivityEvent[]>;
  readonly assets: ReadonlyMap<string, readonly ActivityEvent[]>;
}

const TRAILERS = ['msg_index', 'mode'];
/** Texts that anybody may choose. */
const NO_ACCOUNTS = ['type', 'denom', 'ref'];

/** The fields of a typed event, as the chain printed them. */
function fieldsOf({ attributes }: AbciEvent): Record<string, unknown> {
  const fields = attributes.filter(([key]) => !TRAILERS.includes(key));
  return Object.fromEntries(fields.map(([key, value]) => [key, JSON.parse(value) as unknown]));
}

function accountsIn(fields: Readonly<Record<string, unknown>>): Set<string> {
  const { roles } = fields;
  const texts = [
    ...Object.entries(fields).flatMap(([key, value]) => (NO_ACCOUNTS.includes(key) ? [] : [value])),
    ...(typeof roles === 'object' && roles !== null ? Object.values(roles) : []),
  ];
  const accounts = texts.map((text) =>
    typeof text === 'string' && text.startsWith('aeva1') ? canonicalAccount(text, 'aeva') : undefined,
  );
  return new Set(accounts.filter((account) => account !== undefined));
}

/** Every asset_id, wherever it stands, and asset_ids. */
function assetsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    // a route of coins names none
    if (key === 'asset_id') return part === '' ? [] : [String(part)];
    return key === 'asset_ids' ? (part as string[]) : assetsIn(part);
  });
}

/** The feeds of a chain, from its blocks alone. */
function feedsOf({ devnet: { chain } }: IndexedDevnet, toHeight: number): Feeds {
  const accounts = new Map<string, ActivityEvent[]>();
  const assets = new Map<string, ActivityEvent[]>();
  const add = (feeds: Map<string, ActivityEvent[]>, subject: string, event: ActivityEvent): void => {
    feeds.set(subject, [event, ...(feeds.get(subject) ?? [])]);
  };
  for (let height = 1; height <= toHeight; height++) {
    const block = chain.block(height);
    if (block === undefined) throw new Error(`no block ${height}`);
    const block_time = formatTimeNs(block.header.timeNs);
    const see = (event: AbciEvent, tx_index: number, event_index: number, tx_hash: string | null): void => {
      if (!event.type.startsWith('aeva.')) return;
      const decoded = fieldsOf(event);
      const mode = tx_index < 0 ? event.attributes.find(([key]) => key === 'mode')?.[1] : undefined;
      const seen: ActivityEvent = {
        height,
        tx_index,
        event_index,
        tx_hash,
        block_time,
        type: event.type,
        ...(mode === undefined ? {} : { mode }),
        decoded,
      };
      for (const account of accountsIn(decoded)) add(accounts, account, seen);
      for (const asset of new Set(assetsIn(decoded))) add(assets, asset, seen);
    };
    const seeMode = (wanted: string | undefined): void => {
      for (const [i, event] of block.events.entries()) {
        if (event.attributes.find(([key]) => key === 'mode')?.[1] === wanted) see(event, -1, i, null);
      }
    };
    seeMode(undefined);
    seeMode('BeginBlock');
    for (const [txIndex, { code, events }] of block.results.entries()) {
      if (code !== 0) continue;
      const bytes = block.txs[txIndex] ?? new Uint8Array(0);
      const hash = createHash('sha256').update(bytes).digest('hex').toUpperCase();
      for (const [i, event] of events.entries()) see(event, txIndex, i, hash);
    }
    seeMode('EndBlock');
  }
  return { accounts, assets };
}

let index: IndexedDevnet;
let feeds: Feeds;
beforeAll(async () => {
  index = await referenceWorld();
  feeds = feedsOf(index, index.height);
}, 120_000);

const pathOf = (kind: 'accounts' | 'assets', subject: string): string => `/v1/${kind}/${subject}/events`;

/** By pages of these lengths, the last one again and again. */
async function walk(
  path: string,
  limits: readonly number[],
  between: () => Promise<void> = async () => {},
): Promise<ActivityEvent[]> {
  const found: ActivityEvent[] = [];
  let pages = 0;
  for (let next: string | null = ''; next !== null; ) {
    const cursor: string = next === '' ? '' : `&cursor=${next}`;
    const limit = limits[Math.min(pages++, limits.length - 1)] ?? 100;
    const page: Page = await index.api.get(`${path}?limit=${limit}${cursor}`);
    expect(page.events.length).toBeLessThanOrEqual(limit);
    expect(page.next_cursor, 'a cursor leads on').not.toBe(next);
    found.push(...page.events);
    next = page.next_cursor;
    await between();
  }
  return found;
}

const longest = (of: ReadonlyMap<string, readonly ActivityEvent[]>): [string, readonly ActivityEvent[]] =>
  [...of].reduce((a, b) => (b[1].length > a[1].length ? b : a));

describe('the feeds', () => {
  it('are those of the blocks, for every asset and every account', async () => {
    expect(feeds.assets.size).toBeGreaterThan(5);
    expect(feeds.accounts.size).toBeGreaterThan(20);
    for (const kind of ['assets', 'accounts'] as const) {
      for (const [subject, expected] of feeds[kind]) {
        const found = await walk(pathOf(kind, subject), [100]);
        expect(found.length, subject).toBe(expected.length);
        expect(found, subject).toMatchObject(expected);
        expect(found.map(({ mode }) => mode)).toEqual(expected.map(({ mode }) => mode));
      }
    }
  });

  it('have events of the block itself, behind those of its txs, without a tx', () => {
    const all = [...feeds.assets.values()].flat();
    expect(all.some(({ mode, tx_hash }) => mode === 'EndBlock' && tx_hash === null)).toBe(true);
    expect(all.some(({ type }) => type === 'aeva.settlement.v1.EventProposed')).toBe(true);
  });

  it('are the same by pages of any length while blocks arrive', async () => {
    let ready = 0;
    let resolve = (): void => {};
    const grown = new Promise<void>((done) => {
      resolve = done;
    });
    /** When both walks have their first page. */
    const grow = async (): Promise<void> => {
      if (++ready < 2) return grown;
      await index.goOn(3);
      resolve();
    };
    await Promise.all(
      (['assets', 'accounts'] as const).map(async (kind) => {
        const [subject, expected] = longest(feeds[kind]);
        expect(expected.length).toBeGreaterThan(20);
        let pages = 0;
        // what comes after the first page is above it, and in none of the next ones
        const found = await walk(pathOf(kind, subject), [7, 1, 1, 1, 2, 7, 100], () =>
          pages++ === 0 ? grow() : Promise.resolve(),
        );
        expect(pages).toBeGreaterThan(6);
        expect(found.length).toBe(expected.length);
        expect(found).toMatchObject(expected);
      }),
    );
  }, 120_000);

  it('are empty for an unknown account, and 404 for an unknown asset', async () => {
    const unknown = `0x${'9'.repeat(40)}`;
    expect(await index.api.get(pathOf('accounts', unknown))).toEqual({
      address: canonicalAccount(unknown, 'aeva'),
      events: [],
      next_cursor: null,
    });
    await index.api.expectError(pathOf('assets', '9'.repeat(64)), 404);
    await index.api.expectError(pathOf('assets', 'A'.repeat(64)), 400);
    await index.api.expectError(pathOf('accounts', 'aeva1'), 400);
  });

  it('take cursors of their own alone', async () => {
    const [[first, second], [account]] = [[...feeds.assets.keys()], [...feeds.accounts.keys()]];
    const { next_cursor } = await index.api.get<Page>(`${pathOf('assets', first ?? '')}?limit=1`);
    await index.api.get(`${pathOf('assets', first ?? '')}?cursor=${next_cursor}`);
    await index.api.expectError(`${pathOf('assets', second ?? '')}?cursor=${next_cursor}`, 400);
    await index.api.expectError(`${pathOf('accounts', account ?? '')}?cursor=${next_cursor}`, 400);
    await index.api.expectError(`${pathOf('assets', first ?? '')}?limit=0`, 400);
  });
});

describe('the subjects of events', () => {
  it('took part in their txs, and are known', async () => {
    const blockLevelOnly: string[] = [];
    for (const [account, events] of feeds.accounts) {
      const hashes = new Set<string>();
      for (let next: string | null = ''; next !== null; ) {
        const cursor: string = next === '' ? '' : `&cursor=${next}`;
        const page = await index.api.get<{ txs: { hash: string }[]; next_cursor: string | null }>(
          `/v1/accounts/${account}/txs?limit=100${cursor}`,
        );
        for (const { hash } of page.txs) hashes.add(hash);
        next = page.next_cursor;
      }
      const missing = events.filter(({ tx_hash }) => tx_hash !== null && !hashes.has(tx_hash));
      expect(missing, account).toEqual([]);
      if (hashes.size === 0) blockLevelOnly.push(account);
      const { candidates } = await index.api.get<{ candidates: unknown[] }>(`/v1/lookup/${account}`);
      expect(candidates).toMatchObject([{ type: 'account', id: account, known: true }]);
    }
    expect(blockLevelOnly.length).toBeLessThan(feeds.accounts.size);
  });
});

describe('Event.applied', () => {
  interface Event {
    readonly type: string;
    readonly decoded: object | null;
    readonly applied: boolean;
  }
  interface Tx {
    readonly hash: string;
    readonly code: number;
    readonly events: readonly Event[];
  }

  it('is true for the events of modules, of the block and of its successful txs, wherever they are listed', async () => {
    const expectApplied = (events: readonly Event[], hasHappened: boolean): void => {
      for (const { type, applied, decoded } of events) {
        const isOurs = type.startsWith('aeva.');
        expect({ type, applied }).toEqual({ type, applied: isOurs && hasHappened });
        if (isOurs) expect(decoded).not.toBeNull();
      }
    };
    const counts = { block: 0, txs: 0, failed: 0 };
    for (let height = 1; height <= 60; height++) {
      const { events, txs } = await index.api.get<{ events: Event[]; txs: Tx[] }>(`/v1/blocks/${height}`);
      expectApplied(events, true);
      counts.block += events.filter(({ applied }) => applied).length;
      for (const tx of txs) {
        expectApplied(tx.events, tx.code === 0);
        counts[tx.code === 0 ? 'txs' : 'failed'] += tx.events.filter(({ applied }) => applied).length;
      }
    }
    expect(counts.failed).toBe(0);
    expect(Math.min(counts.block, counts.txs)).toBeGreaterThan(0);
    const { txs } = await index.api.get<{ txs: Tx[] }>('/v1/txs?limit=100');
    for (const tx of txs) expectApplied(tx.events, tx.code === 0);
    const some = txs.find(({ events }) => events.some(({ applied }) => applied));
    expect(await index.api.get(`/v1/txs/${some?.hash}`)).toEqual(some);
  });
});
