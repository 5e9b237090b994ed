import { openCodec } from 'strata-kit/codec/codec';
import type { JsonObject } from 'strata-kit/proto-json';
import { type App, createApp } from './app/app.ts';
import type { Module } from './app/module.ts';
import type { ChainParameters } from './app/parameters.ts';
import type { Plan } from './app/plans.ts';
import { createBlockMaker, type GivenBlock } from './comet/block-maker.ts';
import { createChain } from './comet/chain.ts';
import { type BlockClock, simulatedClock, systemNow, wallClock } from './comet/clock.ts';
import { createMempool } from './comet/mempool.ts';
import { type Producer, startProducer } from './comet/producer.ts';
import { type BlockStore, openBlockStore } from './comet/store.ts';
import type { Block, Chain, CheckResult } from './comet/types.ts';
import { createSigner, type Signer } from './comet/validator.ts';
import {
  APP_VERSION,
  createGenesis,
  type GenesisAccount,
  MAX_BLOCK_BYTES,
  MAX_BLOCK_GAS,
  readGenesis,
} from './genesis.ts';
import { HomeError } from './home-error.ts';
import { devnetModules } from './modules.ts';
import { WALK_LIMITS } from './simulation/limits.ts';
import { createSimulations, type Simulations } from './simulation/simulations.ts';
import { type AppHash, createAppHash } from './state/app-hash.ts';
import { createMemoryKv, openDiskKv } from './state/kv.ts';
import { createState, type Reader } from './state/state.ts';
import { SERVICES, serviceAccount, workloadAccounts } from './workload/accounts.ts';

/** The reference chain in one process, without its servers and its workload. */
export interface Devnet {
  readonly chain: Chain;
  readonly app: App;
  readonly parameters: ChainParameters;
  readonly genesis: JsonObject;
  readonly signer: Signer;
  /** Executions that leave nothing, in threads of their own. */
  readonly simulations: Simulations;
  /** The state after a height that the chain keeps; 0 before the first block. */
  readerAt(height: number): Reader;
  /** Makes blocks by themselves from now on; with `firstTxs`, which go ahead of what waits, there is always a next one. */
  start(firstTxs?: () => readonly Uint8Array[] | Promise<readonly Uint8Array[]>): void;
  /** Fails when a block cannot be made; ends with `stop`. Never before `start`. */
  readonly ended: Promise<void>;
  /** One block: of what waits, at the clock's time, unless given otherwise. */
  produceBlock(given?: GivenBlock): Promise<Block>;
  stop(): Promise<void>;
}

/** What simulations read. */
export interface SimulatedChain {
  readonly parameters: ChainParameters;
  readonly readerAt: (height: number) => Reader;
}

export interface DevnetOptions {
  /** Of the validator's key and whatever else is drawn; 1. */
  readonly seed?: number;
  /** A folder that holds the chain; undefined: in memory. A chain that is there goes on, with its own genesis. */
  readonly home?: string | undefined;
  /** Of a new chain, in place of accounts, parameters and appState. */
  readonly genesis?: JsonObject | undefined;
  readonly parameters?: Partial<ChainParameters>;
  /** The services and the seed's workload accounts unless given. */
  readonly accounts?: readonly GenesisAccount[];
  /** More of the genesis' app_state, by module. */
  readonly appState?: JsonObject;
  /** What a new chain does by itself; nothing unless given. */
  readonly plans?: (parameters: ChainParameters) => readonly Plan[];
  /** `wall` unless given; a simulated one of 5 s a block from 2026-01-01, or any other. */
  readonly clock?: 'wall' | 'simulated' | BlockClock;
  /** Between blocks that are made by themselves; 1,000. 0: as fast as it can while txs wait. */
  readonly blockTimeMs?: number;
  /** Heights that are kept with their states; all unless given. */
  readonly keep?: number | undefined;
  /** False: queries are refused, and a block costs less: for a corpus. */
  readonly keepsStates?: boolean;
  /** False: signatures are taken as they are, for a workload of one's own. */
  readonly verifies?: boolean;
  readonly modules?: readonly Module[];
  readonly mempool?: { readonly maxTxs: number; readonly maxBytes: number };
  readonly binaryVersion?: string;
  /** Executes what leaves nothing: in threads of its own unless given. */
  readonly simulations?: (chain: SimulatedChain) => Simulations;
  readonly onDrop?: (dropped: CheckResult) => void;
  /** A tx failed by a defect of the chain. */
  readonly onUnforeseen?: (error: unknown) => void;
}

/** CometBFT's own: mempool.size, mempool.max_txs_bytes (64 MiB), mempool.max_tx_bytes. */
const MEMPOOL = { maxTxs: 5_000, maxBytes: 67_108_864 };
const MAX_TX_BYTES = 1_048_576;
const IDLE_MS = 1_000;

/** What a new chain is unless told otherwise; bridge authority and relayer are those of the workload's services. */
export const DEFAULT_PARAMETERS = {
  chainId: 'aeva_9111-1',
  evmChainId: 9_111n,
  namespace: 'aeva',
  hrp: 'aeva',
  gasDenom: 'aaeva',
  gasDecimals: 18,
  evmDenom: 'aaeva',
  stableDenom: 'uusd',
  minGasPrice: 1_000_000_000n,
} as const;

/** Of a chain whose bank holds the gas token with 6 decimals, as cosmos/evm runs with x/precisebank. */
export const SIX_DECIMALS = { gasDenom: 'uaeva', gasDecimals: 6, evmDenom: 'aaeva' } as const;

/**
 * Errors: HomeError where the folder cannot be used, or holds a chain of another seed, a damaged one, or one whose state
 * is not what its blocks say.
 */
export async function openDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const { seed = 1, home, keep, blockTimeMs = 1_000 } = options;
  const clock = clockOf(options.clock ?? 'wall');
  const signer = createSigner(seed);
  const store = openHome(home, { keep, keepsStates: options.keepsStates ?? true });
  const genesis =
    store.genesis ??
    options.genesis ??
    createGenesis({
      parameters: newParameters(options.parameters),
      timeNs: clock.genesisTimeNs,
      validator: signer.validator,
      accounts: options.accounts ?? defaultAccounts(String(seed), newParameters(options.parameters)),
      ...(options.appState === undefined ? {} : { appState: options.appState }),
      ...(options.plans === undefined ? {} : { plans: options.plans(newParameters(options.parameters)) }),
    });
  const { parameters, appState, timeNs, validatorAddress, plans } = readGenesis(genesis);
  if (validatorAddress !== signer.validator.address) {
    await store.close();
    throw new HomeError(`the chain was made with another seed than ${seed}`);
  }

  const app = createApp({
    parameters,
    codec: openCodec(parameters),
    modules: options.modules ?? devnetModules(),
    state: createState(),
    verifies: options.verifies ?? true,
    maxGas: BigInt(MAX_BLOCK_GAS),
    maxTxBytes: MAX_TX_BYTES,
    plans,
    onUnforeseen: options.onUnforeseen,
  });
  const appHash = createAppHash();
  if (store.genesis === undefined) {
    const changes = await app.initGenesis(appState, timeNs);
    appHash.apply(changes);
    store.begin(genesis, changes);
    app.setHead({ ...app.head(), timeNs });
  } else {
    try {
      goOn(app, appHash, store, timeNs);
    } catch (error) {
      await store.close();
      throw asHomeError(error);
    }
  }

  const mempool = createMempool({
    app,
    ...MEMPOOL,
    ...options.mempool,
    ...(options.onDrop === undefined ? {} : { onDrop: options.onDrop }),
  });
  const maker = createBlockMaker({
    app,
    appHash,
    store,
    mempool,
    signer,
    clock: { ...clock, genesisTimeNs: timeNs },
    chainId: parameters.chainId,
    appVersion: APP_VERSION,
    maxBytes: MAX_BLOCK_BYTES,
    maxGas: MAX_BLOCK_GAS,
  });
  const threads = { parameters, textsAt: store.textsAt, onError: options.onUnforeseen ?? (() => {}) };
  const { readerAt } = store;
  const simulations = options.simulations?.({ parameters, readerAt }) ?? createSimulations(threads);
  const walks =
    options.simulations?.({ parameters, readerAt }) ?? createSimulations({ ...threads, limits: WALK_LIMITS });
  const { chain, announce } = createChain({
    app,
    store,
    mempool,
    validator: signer.validator,
    appVersion: APP_VERSION,
    binaryVersion: options.binaryVersion ?? '1.0.0',
    keepsStates: options.keepsStates ?? true,
    simulations,
    walks,
  });

  let producer: Producer | undefined;
  let end: (ended: Promise<void>) => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const produceBlock: Devnet['produceBlock'] = async (given) => {
    const block = await maker.make(given);
    announce(block);
    return block;
  };
  const addTx: Chain['addTx'] = async (tx) => {
    const checked = await mempool.add(tx);
    if (checked.code === 0) producer?.wake();
    return checked;
  };
  return {
    chain: { ...chain, addTx },
    app,
    parameters,
    genesis,
    signer,
    simulations,
    readerAt,
    ended,
    produceBlock,
    start(firstTxs) {
      if (producer !== undefined) throw new Error('the devnet makes blocks already');
      producer = startProducer({
        make: async () => produceBlock(firstTxs === undefined ? {} : { first: await firstTxs() }),
        blockTimeMs,
        // simulated time goes on with blocks alone, so that none comes by the machine's clock
        idleMs: clock.isWall ? IDLE_MS : undefined,
        isBehind: () => clock.isBehind?.(app.head().timeNs) === true,
        hasTxs: () => firstTxs !== undefined || mempool.size().count > 0,
      });
      end(producer.ended);
    },
    async stop() {
      try {
        await producer?.stop();
      } finally {
        await Promise.all([simulations.close(), walks.close()]);
        // what makes a block is done with it first
        await mempool.exclusive(() => app.exclusive(() => store.close()));
      }
    },
  };
}

function newParameters(given: Partial<ChainParameters> = {}): ChainParameters {
  const { hrp = DEFAULT_PARAMETERS.hrp } = given;
  return {
    ...DEFAULT_PARAMETERS,
    bridgeAuthority: serviceAccount('bridge-authority', hrp).address,
    relayer: serviceAccount('relayer', hrp).address,
    ...given,
  };
}

/** The services and the seed's accounts, each with a million of both coins, the faucet with a thousand times as much. */
function defaultAccounts(seed: string, { hrp, gasDenom, stableDenom }: ChainParameters): GenesisAccount[] {
  const coins = (times: bigint) => [
    { denom: gasDenom, amount: times * 10n ** 24n },
    { denom: stableDenom, amount: times * 10n ** 12n },
  ];
  return [
    ...SERVICES.map((name) => ({
      address: serviceAccount(name, hrp).address,
      coins: coins(name === 'faucet' ? 1_000n : 1n),
    })),
    ...workloadAccounts(seed, hrp).map(({ address }) => ({ address, coins: coins(1n) })),
  ];
}

function clockOf(clock: 'wall' | 'simulated' | BlockClock): BlockClock {
  if (clock === 'wall') return wallClock(systemNow);
  return clock === 'simulated' ? simulatedClock() : clock;
}

/** Errors: HomeError where the folder cannot be used or its file is damaged. */
function openHome(home: string | undefined, options: Parameters<typeof openBlockStore>[1]): BlockStore {
  if (home === undefined) return openBlockStore(createMemoryKv(), options);
  try {
    return openBlockStore(openDiskKv(home), options);
  } catch (error) {
    throw asHomeError(error);
  }
}

function asHomeError(cause: unknown): HomeError {
  if (cause instanceof HomeError) return cause;
  return new HomeError(`the chain cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
    cause,
  });
}

/** The newest state, held against the app hash that the newest block tells. */
function goOn(app: App, appHash: AppHash, store: BlockStore, genesisTimeNs: bigint): void {
  for (const { collection, key, text } of store.history.records()) {
    app.state.load(collection, key, text);
    appHash.add(collection, key, text);
  }
  const block = store.block(store.latestHeight());
  if (block === undefined) {
    app.setHead({ ...app.head(), timeNs: genesisTimeNs });
    return;
  }
  const { height, timeNs, proposerAddress } = block.header;
  if (appHash.current() !== block.nextAppHash) {
    throw new HomeError(
      `the state of height ${height} has app hash ${appHash.current()}, not ${block.nextAppHash}: the folder is damaged`,
    );
  }
  app.setHead({
    height,
    timeNs,
    blockHash: Buffer.from(block.id.hash, 'hex'),
    proposer: Buffer.from(proposerAddress, 'hex'),
  });
}
