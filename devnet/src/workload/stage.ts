import { parseHexAddress } from 'strata-kit/address';
import { formatTimeNs } from 'strata-kit/time';
import type { ChainParameters } from '../app/parameters.ts';
import { balance } from '../modules/bank/keeper.ts';
import type { Reader } from '../state/state.ts';
import {
  type Account,
  type Role,
  SERVICES,
  type Service,
  serviceAccount,
  workloadAccounts,
} from './accounts.ts';
import { type Asset, type AssetBook, createAssetBook } from './assets.ts';
import type { ContractName, EvmContracts } from './evm-contracts.ts';
import type { Random } from './random.ts';
import type { Route } from './routes.ts';
import { NotNow } from './step.ts';

/** The chain as the workload sees it between two blocks. */
export interface ChainView {
  readonly reader: Reader;
  /** Of the last block; 0 before the first. */
  readonly height: number;
  readonly timeNs: bigint;
  /** The time of the block that comes so many blocks later, where the clock is known in advance. */
  readonly timeAfter?: ((blocks: number) => bigint) | undefined;
}

/** What all scenarios share. */
export interface World {
  readonly parameters: ChainParameters;
  /** Without them the EVM is left alone. */
  readonly contracts: EvmContracts | undefined;
  readonly random: Random;
  readonly accounts: readonly Account[];
  readonly services: Readonly<Record<Service, Account>>;
  readonly busy: Set<Account>;
  readonly assets: AssetBook;
  /** Pools of the DEX that scenarios have filled: `native`, or an asset's id. */
  readonly pools: Set<string>;
  /** Accounts by name that have let the router have their stable coin. */
  readonly approved: Set<string>;
  /** Bridge routes that scenarios have opened. */
  readonly routes: Route[];
  view: ChainView;
  /** The shortest time between two of the last blocks. */
  blockStepNs: bigint;
  /** Counts up: names that must not repeat. */
  counter: number;
}

export function createWorld(
  parameters: ChainParameters,
  seed: string,
  random: Random,
  contracts: EvmContracts | undefined,
  view: ChainView,
): World {
  const { hrp } = parameters;
  const services = Object.fromEntries(SERVICES.map((name) => [name, serviceAccount(name, hrp)]));
  return {
    parameters,
    contracts,
    random,
    accounts: workloadAccounts(seed, hrp),
    services: services as Record<Service, Account>,
    busy: new Set(),
    assets: createAssetBook(),
    pools: new Set(),
    approved: new Set(),
    routes: [],
    view,
    blockStepNs: 1_000_000_000n,
    counter: 0,
  };
}

const SECOND_NS = 1_000_000_000n;

/** What one run of a scenario works with; what it has taken is free again when it ends. */
export interface Stage extends Omit<World, 'contracts' | 'busy' | 'view' | 'counter' | 'blockStepNs'> {
  readonly reader: Reader;
  readonly height: number;
  readonly nowNs: bigint;
  /** A free account of the role, which nobody else uses meanwhile. Errors: NotNow. */
  take(role: Role): Account;
  /** That account, when it is free. Errors: NotNow. */
  takeThis<A extends Account>(account: A): A;
  isFree(account: Account): boolean;
  service(name: Service): Account;
  /** Anyone of the role, to be named and not to sign. */
  anyone(role: Role, ...but: readonly Account[]): Account;
  /** The time of the block that comes so many blocks later, as far as it can be known. */
  timeAfter(blocks: number): bigint;
  /** What to wait for, so that what is sent then is in a block of this time or later, as far as that can be known. */
  blockBefore(timeNs: bigint): bigint;
  /** RFC 3339, at least that many blocks and seconds ahead. */
  later(blocks: number, seconds?: number): string;
  laterNs(blocks: number, seconds?: number): bigint;
  balance(account: Account, denom: string): bigint;
  /** A contract of the devnet's genesis, 20 bytes. Errors: NotNow for a chain without it. */
  contract(name: ContractName): Uint8Array;
  /** `prefix-17`: never the same text twice in a run of the workload. */
  unique(prefix: string): string;
  /** Keeps others from retiring it meanwhile. */
  use(asset: Asset): Asset;
  /** Takes it away from the others for good. Errors: NotNow while somebody uses it. */
  retire(asset: Asset): Asset;
  /** Gives everything back. */
  leave(): void;
}

/** `random` is that of the scenario's catalogue. */
export function createStage(world: World, random: Random = world.random): Stage {
  const held = new Set<Account>();
  const used: Asset[] = [];

  function takeThis<A extends Account>(account: A): A {
    if (held.has(account)) return account;
    if (world.busy.has(account)) throw new NotNow(`${account.name} is busy`);
    world.busy.add(account);
    held.add(account);
    return account;
  }

  const timeAfter = (blocks: number): bigint =>
    world.view.timeAfter?.(blocks) ?? world.view.timeNs + BigInt(blocks) * world.blockStepNs;

  const blockBefore = (timeNs: bigint): bigint => {
    if (world.view.timeAfter === undefined) return timeNs - world.blockStepNs;
    let blocks = 0;
    while (timeAfter(blocks + 1) < timeNs) blocks++;
    return timeAfter(blocks);
  };

  const laterNs = (blocks: number, seconds = 1): bigint => {
    const byBlocks = timeAfter(blocks);
    const bySeconds = world.view.timeNs + BigInt(seconds) * SECOND_NS;
    return byBlocks > bySeconds ? byBlocks : bySeconds;
  };

  const ofRole = (role: Role, isWanted: (account: Account) => boolean): Account => {
    const fitting = world.accounts.filter((account) => account.role === role && isWanted(account));
    if (fitting.length === 0) throw new NotNow(`no ${role}`);
    return random.pick(fitting);
  };

  return {
    parameters: world.parameters,
    random,
    accounts: world.accounts,
    services: world.services,
    assets: world.assets,
    pools: world.pools,
    approved: world.approved,
    routes: world.routes,
    get reader() {
      return world.view.reader;
    },
    get height() {
      return world.view.height;
    },
    get nowNs() {
      return world.view.timeNs;
    },
    take: (role) => takeThis(ofRole(role, (account) => !world.busy.has(account))),
    takeThis,
    isFree: (account) => held.has(account) || !world.busy.has(account),
    service: (name) => takeThis(world.services[name]),
    anyone: (role, ...but) => ofRole(role, (account) => !but.includes(account)),
    timeAfter,
    blockBefore,
    later: (blocks, seconds) => formatTimeNs(laterNs(blocks, seconds)),
    laterNs,
    balance: ({ address }, denom) => balance(world.view.reader, address, denom),
    contract: (name) => {
      const address = world.contracts?.[name];
      const bytes = address === undefined ? undefined : parseHexAddress(address);
      if (bytes === undefined) throw new NotNow(`no ${name}`);
      return bytes;
    },
    unique: (prefix) => {
      world.counter++;
      return `${prefix}-${world.counter}`;
    },
    use: (asset) => {
      asset.users++;
      used.push(asset);
      return asset;
    },
    retire: (asset) => {
      if (asset.users > used.filter((each) => each === asset).length) throw new NotNow('the asset is in use');
      world.assets.remove(asset);
      return asset;
    },
    leave: () => {
      for (const account of held) world.busy.delete(account);
      for (const asset of used) asset.users--;
      held.clear();
      used.length = 0;
    },
  };
}
