import { type Logger, pino } from 'pino';
import type { DevnetOptions } from 'strata-devnet/devnet';
import { assetIdOf } from 'strata-kit/client/asset-ids';
import { bech32Of, type Key, keyFromSeed } from 'strata-kit/client/keys';
import { systemClock } from 'strata-kit/clock';
import { DEFAULT_RISK, type DeskRisk } from 'strata-kit/desk-risk';
import type { JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs } from 'strata-kit/time';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { Chain } from '../../../src/chain.ts';
import { openDatabase } from '../../../src/database/database.ts';
import type { AppDatabase } from '../../../src/database/tables.ts';
import { createDesk, type Desk, type DeskOptions } from '../../../src/desk/desk.ts';
import type { PoolPrice } from '../../../src/desk/market.ts';
import type { Indexer } from '../../../src/indexer.ts';
import { createSender } from '../../../src/sender/sender.ts';
import type { Sender, SentTx } from '../../../src/sender.ts';
import { type DevnetChain, FAUCET, openDevnetChain } from './devnet-chain.ts';

/** A chain with an asset of 1,000,000 whole shares and a desk that has half of them and coins. */
export interface DeskWorld extends DevnetChain {
  readonly assetId: string;
  readonly folder: string;
  readonly database: AppDatabase;
  readonly desk: Desk;
  readonly deskAddress: string;
  /** A user with 10^10 uusd and 100,000 whole shares. */
  user(name: string): Promise<User>;
  /** Price and mean of the pool, as the indexer tells them; `null`: there is none. */
  setMid(mid: bigint | null): void;
  /** The pool as the indexer tells it. */
  setPool(pool: PoolPrice): void;
  /** How far the indexer is behind; Infinity: it does not answer. */
  setLag(ms: number): void;
  /** As the faucet. */
  send(...messages: readonly JsonObject[]): Promise<SentTx>;
  newDesk(options?: Partial<DeskOptions>): Desk;
  settlement(id: number | string): Promise<JsonObject>;
  settlements(): Promise<readonly JsonObject[]>;
  /** Transferable units of a kind. */
  units(holder: string, kindId: number): Promise<bigint>;
  /** As the indexer's list has them instead of what is pending. */
  setPending(ids: readonly number[] | undefined): void;
  /** Queries of the desk's chain, by path. */
  readonly asked: Map<string, number>;
  /** Runs the desk until the world closes. */
  runDesk(desk?: Desk): void;
}

export interface User {
  readonly address: string;
  send(...messages: readonly JsonObject[]): Promise<SentTx>;
}

export const DESK_KEY = keyFromSeed('eth_secp256k1', 'test/desk');
const ISSUER_KEY = FAUCET;
const ONE = 1_000_000n;
export const silent: Logger = pino({ level: 'silent' });

/** For desks that a test does not hold against their caps. */
export const LOOSE_RISK: DeskRisk = {
  ...DEFAULT_RISK,
  hourlyValue: 10n ** 15n,
  exposurePercent: 100,
  perBlock: 200,
};
/** Of the pool's stable coin, unless a test says otherwise. */
const RESERVE = 1_000_000n * ONE;

/** What `/v1/x/prices/{asset}/mean` answers, as far as the desk reads it. */
export function poolAnswer({ mid, mean, stableReserve }: PoolPrice, asOfNs: bigint): object {
  return {
    ...{ price: String(mid), mean_price: String(mean), as_of: formatTimeNs(asOfNs) },
    reserves: { base: '1', quote: String(stableReserve) },
  };
}

export function steadyPool(mid: bigint): PoolPrice {
  return { mid, mean: mid, stableReserve: RESERVE };
}

export const CLASSES = ['ECONOMIC', 'INCOME', 'VOTE'] as const;

export interface WorldOptions {
  readonly devnet?: DevnetOptions;
  readonly desk?: Partial<DeskOptions>;
  readonly classes?: readonly string[];
  /** Of the desk. */
  readonly coins?: bigint;
  readonly shares?: bigint;
}

export async function openDeskWorld(options: WorldOptions = {}): Promise<DeskWorld> {
  const one = await openDevnetChain(options.devnet);
  const { chain, devnet } = one;
  const folder = await temporaryFolder();
  const ending = new AbortController();
  const running: Promise<void>[] = [];
  const database = await openDatabase({ kind: 'sqlite', path: `${folder.path}/app.db` });
  const senderOf = (key: Key): Sender => createSender({ chain, key, clock: systemClock, pollMs: 15 });
  const faucet = senderOf(FAUCET);
  const assetId = assetIdOf('aeva', ISSUER_KEY.address, 0n);
  const deskAddress = bech32Of('aeva', DESK_KEY);
  const { classes = CLASSES, coins = 50_000n * ONE, shares = 100_000n } = options;
  devnet.start();

  let pool: PoolPrice | null = steadyPool(3_000_000n);
  let lagMs = 0;
  let listed: readonly number[] | undefined;
  const asked = new Map<string, number>();
  const counted: Chain = {
    ...chain,
    query(path, request) {
      asked.set(path, (asked.get(path) ?? 0) + 1);
      return chain.query(path, request);
    },
  };
  const indexer = createIndexer();
  const world: DeskWorld = {
    ...one,
    assetId,
    folder: folder.path,
    database,
    deskAddress,
    desk: newDesk(options.desk),
    setMid: (mid) => {
      pool = mid === null ? null : steadyPool(mid);
    },
    setPool: (value) => {
      pool = value;
    },
    setLag: (ms) => {
      lagMs = ms;
    },
    async user(name) {
      const key = keyFromSeed('secp256k1', `test/user/${name}`);
      const address = bech32Of('aeva', key);
      await send(pay(address, 10_000n * ONE), ...issue(address, 100_000n * ONE));
      const own = senderOf(key);
      return { address, send: (...messages) => own.send({ messages, timeoutBlocks: 200 }) };
    },
    setPending: (ids) => {
      listed = ids;
    },
    asked,
    send,
    newDesk,
    settlement: async (id) =>
      (await chain.query('/aeva.settlement.v1.Query/Settlement', { id: String(id) }))
        .settlement as JsonObject,
    settlements,
    async units(holder, kind_id) {
      const { position } = await chain.query('/aeva.rights.v1.Query/Position', {
        asset_id: assetId,
        kind_id,
        holder,
      });
      const { units, locks } = position as { units: string; locks: readonly { units: string }[] };
      return locks.reduce((left, lock) => left - BigInt(lock.units), BigInt(units));
    },
    runDesk(desk = world.desk) {
      running.push(desk.run(ending.signal));
    },
    async close() {
      ending.abort();
      await Promise.all(running);
      await one.close();
      await database.destroy();
      await folder.remove();
    },
  };

  function pay(to: string, amount: bigint): JsonObject {
    return {
      '@type': '/cosmos.bank.v1beta1.MsgSend',
      from_address: faucet.address,
      to_address: to,
      amount: [
        { denom: 'aaeva', amount: String(10n ** 20n) },
        { denom: 'uusd', amount: String(amount) },
      ],
    };
  }

  function issue(recipient: string, units: bigint): JsonObject[] {
    return classes.map((_, kind_id) => ({
      '@type': '/aeva.rights.v1.MsgIssue',
      ...{ issuer: faucet.address, asset_id: assetId, kind_id, recipient, units: String(units) },
    }));
  }

  async function send(...messages: readonly JsonObject[]): Promise<SentTx> {
    const sent = await faucet.send({ messages, timeoutBlocks: 200 });
    if (sent.code !== 0) throw new Error(`${sent.codespace}/${sent.code}: ${sent.log}`);
    return sent;
  }

  async function settlements(): Promise<readonly JsonObject[]> {
    const answer = await chain.query('/aeva.settlement.v1.Query/Export', {});
    return answer.settlements as readonly JsonObject[];
  }

  function createIndexer(): Indexer {
    return {
      url: 'http://127.0.0.1:1',
      async get(path) {
        if (lagMs === Number.POSITIVE_INFINITY) throw new Error('the indexer was asked although it is away');
        if (path.startsWith('/v1/x/prices/')) {
          if (pool === null) return undefined;
          const { timeNs } = await chain.node.status();
          return poolAnswer(pool, timeNs - BigInt(lagMs) * 1_000_000n);
        }
        if (listed !== undefined) {
          return { settlements: listed.map((id) => ({ id, counterparty: deskAddress })), next_cursor: null };
        }
        const pending = (await settlements()).filter(
          ({ status, proposer, counterparty }) =>
            status === 'STATUS_PENDING' && [proposer, counterparty].includes(deskAddress),
        );
        const list = pending.map(({ id, counterparty }) => ({ id: Number(id), counterparty })).reverse();
        return { settlements: list, next_cursor: null };
      },
    };
  }

  function newDesk(more: Partial<DeskOptions> = {}): Desk {
    return createDesk({
      ...{ chain: counted, indexer, database, clock: systemClock, log: silent, roundMs: 40 },
      // of 40 ms each: a busy machine stands still for a second
      timeoutBlocks: 200,
      sender: senderOf(DESK_KEY),
      instruments: () => [{ symbol: 'ORCH', assetId }],
      documents: { get: async () => undefined },
      risk: LOOSE_RISK,
      ...more,
    });
  }

  await send(
    {
      '@type': '/aeva.asset.v1.MsgCreateAsset',
      issuer: faucet.address,
      settlement_denom: 'uusd',
      kinds: classes.map((name) => ({
        ...{ class: `KIND_CLASS_${name}`, decimals: 6, bundle: true, transferable: true, multiplier: '1' },
      })),
    },
    pay(deskAddress, coins),
    ...issue(deskAddress, shares * ONE),
  );
  return world;
}
