import { createHash } from 'node:crypto';
import { bech32 } from '@scure/base';
import { getAddress } from 'ethers';
import type { AbciEvent } from 'strata-kit/abci-event';
import type { DevnetNode } from '../../../support/devnet-node.ts';

/** What a devnet's blocks tell, in plain code: the modules' events in the chain's own order, and the txs that failed. */

// biome-ignore lint/suspicious/noExplicitAny: the events' JSON, whose shape each reader knows
export type Json = any;

export interface Told {
  readonly height: number;
  readonly time: string;
  readonly timeNs: bigint;
  /** −1 for a block-level event. */
  readonly txIndex: number;
  readonly eventIndex: number;
  readonly txHash: string | null;
  readonly type: string;
  readonly mode: string;
  /** Proto-JSON. */
  readonly fields: Readonly<Record<string, Json>>;
}

export interface FailedTx {
  readonly height: number;
  readonly timeNs: bigint;
  readonly txIndex: number;
  readonly txHash: string;
  readonly codespace: string;
  readonly code: number;
  readonly log: string;
}

export interface History {
  /** In the order of modules.md rule 0. */
  readonly events: readonly Told[];
  readonly failed: readonly FailedTx[];
  readonly lastTime: string;
  readonly lastTimeNs: bigint;
}

const HRP = 'aeva';

export function historyOf({ devnet, height: head }: DevnetNode): History {
  const events: Told[] = [];
  const failed: FailedTx[] = [];
  let [lastTime, lastTimeNs] = ['', 0n];
  for (let height = 1; height <= head; height++) {
    const block = devnet.chain.block(height);
    if (block === undefined) throw new Error(`the devnet has no block ${height}`);
    const { timeNs } = block.header;
    const time = printTime(timeNs);
    [lastTime, lastTimeNs] = [time, timeNs];
    const tellIn = (list: readonly AbciEvent[], txIndex: number, txHash: string | null): Told[] =>
      list.flatMap(({ type, attributes }, eventIndex) => {
        if (!type.startsWith('aeva.')) return [];
        const mode = attributes.find(([key]) => key === 'mode')?.[1] ?? '';
        const fields = Object.fromEntries(
          attributes
            .filter(([key]) => key !== 'mode' && key !== 'msg_index')
            .map(([key, value]) => [key, JSON.parse(value) as Json]),
        );
        return [{ height, time, timeNs, txIndex, eventIndex, txHash, type, mode, fields }];
      });
    const ofBlock = tellIn(block.events, -1, null);
    const inMode = (mode: string): Told[] => ofBlock.filter((event) => event.mode === mode);
    events.push(...inMode(''), ...inMode('BeginBlock'));
    for (const [txIndex, { code, codespace, log, events: ofTx }] of block.results.entries()) {
      const txHash = hashOf(block.txs[txIndex]);
      if (code === 0) events.push(...tellIn(ofTx, txIndex, txHash));
      else failed.push({ height, timeNs, txIndex, txHash, codespace, code, log });
    }
    events.push(...inMode('EndBlock'));
  }
  return { events, failed, lastTime, lastTimeNs };
}

function hashOf(tx: Uint8Array | undefined): string {
  return createHash('sha256')
    .update(tx ?? new Uint8Array())
    .digest('hex')
    .toUpperCase();
}

/** Whom an event's feeds belong to: accounts at its top level and in roles, and each asset id wherever it stands. */
export function subjectsOf({ fields }: Told): {
  readonly accounts: Set<string>;
  readonly assets: Set<string>;
} {
  const accounts = new Set(
    [...Object.values(fields), ...Object.values(fields.roles ?? {})].filter(isAccount),
  );
  const assets = new Set<string>();
  const collect = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value) as [string, Json][]) {
      if (key === 'asset_id' && part !== '') assets.add(part);
      else if (key === 'asset_ids') for (const id of part) assets.add(id);
      else collect(part);
    }
  };
  collect(fields);
  return { accounts, assets };
}

function isAccount(value: Json): value is string {
  if (typeof value !== 'string' || !value.startsWith(`${HRP}1`)) return false;
  try {
    bech32.decode(value as `${string}1${string}`, 200);
    return true;
  } catch {
    return false;
  }
}

/** The ActivityEvent of api.md. */
export function activityOf({ height, txIndex, eventIndex, txHash, time, type, mode, fields }: Told): Json {
  return {
    height,
    tx_index: txIndex,
    event_index: eventIndex,
    tx_hash: txHash,
    block_time: time,
    type,
    ...(mode === '' ? {} : { mode }),
    decoded: { ...(WITH_OPTIONAL_KIND.test(type) ? { kind_id: null } : {}), ...fields },
  };
}

/** Whose kind_id may be unset: the chain leaves it out, and an indexer prints null as Go's gogoproto does. */
const WITH_OPTIONAL_KIND =
  /^aeva\.(asset\.v1\.EventPolicySet|bridge\.v1\.Event(RouteCreated|TransferOut|TransferIn))$/;

/** RFC 3339 as Go prints it. */
export function printTime(ns: bigint): string {
  const fraction = String(ns % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const seconds = new Date(Number(ns / 1_000_000n)).toISOString().slice(0, 19);
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/** As the chain prints it, or null; in the words of answers. */
export function reprintTime(text: Json): string | null {
  if (text === null || text === undefined) return null;
  const [, seconds = '', fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) ?? [];
  const kept = fraction.replace(/0+$/, '');
  return `${seconds}${kept === '' ? '' : `.${kept}`}Z`;
}

export function hexOf(base64: Json): string {
  return Buffer.from(base64 ?? '', 'base64').toString('hex');
}

/** EIP-55; null for a key of 32 bytes. */
export function evmAddressOf(account: string): string | null {
  const bytes = bech32.fromWords(bech32.decode(account as `${string}1${string}`, 200).words);
  return bytes.length === 20 ? getAddress(`0x${Buffer.from(bytes).toString('hex')}`) : null;
}

export function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

/** By a text, ascending as bytes are. */
export function byText<T>(text: (value: T) => string): (a: T, b: T) => number {
  return (a, b) => Buffer.compare(Buffer.from(text(a)), Buffer.from(text(b)));
}
