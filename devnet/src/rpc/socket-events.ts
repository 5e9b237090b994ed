import type { AbciEvent } from 'strata-kit/abci-event';
import { bytesToBase64 } from 'strata-kit/bytes';
import { txHash } from '../comet/hashes.ts';
import type { Block, TxResult } from '../comet/types.ts';
import type { Condition } from './conditions.ts';
import { goJson, quote } from './go-json.ts';
import { printBlockId, printFinalized, printHeader, printInnerBlock, printTxEvents } from './print-block.ts';

/** What a block tells subscribers: one NewBlock, one NewBlockHeader, and a Tx for each tx. */
export interface SocketEvent {
  /** `"data":{…},"events":{…}`: the end of the message's result. */
  readonly text: string;
  matches(conditions: readonly Condition[]): boolean;
}

type Tags = ReadonlyMap<string, readonly string[]>;

export type EventName = 'NewBlock' | 'NewBlockHeader' | 'Tx';

/** The events of one name in their order. */
export function eventsOf(name: EventName, block: Block, paramUpdates: string): readonly SocketEvent[] {
  if (name === 'Tx') return block.txs.map((tx, index) => txEvent(block, tx, index));
  const value =
    name === 'NewBlock'
      ? `{"block":${printInnerBlock(block)},"block_id":${printBlockId(block.id)},"result_finalize_block":${printFinalized(block, paramUpdates)}}`
      : `{"header":${printHeader(block.header)}}`;
  return [socketEvent(name, value, tagsOf(name, name === 'NewBlock' ? block.events : []))];
}

function txEvent(block: Block, tx: Uint8Array, index: number): SocketEvent {
  const result = block.results[index];
  const { height } = block.header;
  const tags = tagsOf('Tx', result?.events ?? []);
  tags.set('tx.hash', [txHash(tx)]);
  tags.set('tx.height', [String(height)]);
  const place = `"height":"${height}"${index === 0 ? '' : `,"index":${index}`}`;
  const printed = result === undefined ? '{}' : printFilled(result);
  const value = `{"TxResult":{${place},"tx":"${bytesToBase64(tx)}","result":${printed}}}`;
  return socketEvent('Tx', value, tags);
}

/** A tx's result without what is empty, as events have it. */
function printFilled({ code, data, log, gasWanted, gasUsed, events, codespace }: TxResult): string {
  const members = [
    code === 0 ? '' : `"code":${code}`,
    data.length === 0 ? '' : `"data":"${bytesToBase64(data)}"`,
    log === '' ? '' : `"log":${quote(log)}`,
    gasWanted === 0n ? '' : `"gas_wanted":"${gasWanted}"`,
    gasUsed === 0n ? '' : `"gas_used":"${gasUsed}"`,
    events.length === 0 ? '' : `"events":${printTxEvents(events)}`,
    codespace === '' ? '' : `"codespace":${quote(codespace)}`,
  ];
  return `{${members.filter((member) => member !== '').join(',')}}`;
}

function socketEvent(name: EventName, value: string, tags: Tags): SocketEvent {
  return {
    text: `"data":{"type":"tendermint/event/${name}","value":${value}},"events":${goJson(Object.fromEntries(tags))}`,
    matches: (conditions) =>
      conditions.every(({ key, value: wanted }) => tags.get(key)?.includes(wanted) === true),
  };
}

/** `type.key` to its values. */
function tagsOf(name: EventName, events: readonly AbciEvent[]): Map<string, string[]> {
  const tags = new Map<string, string[]>([['tm.event', [name]]]);
  for (const { type, attributes } of events) {
    for (const [key, value] of attributes) {
      const tag = `${type}.${key}`;
      const values = tags.get(tag);
      if (values === undefined) tags.set(tag, [value]);
      else values.push(value);
    }
  }
  return tags;
}
