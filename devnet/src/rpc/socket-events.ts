import { bytesToBase64 } from 'strata-kit/bytes';
import { quote } from 'strata-kit/rpc/go-json';
import type { EventName, SocketEvent } from 'strata-kit/rpc/node';
import { socketEvent, tagsOf } from 'strata-kit/rpc/socket-event';
import { txHash } from '../comet/hashes.ts';
import type { Block, TxResult } from '../comet/types.ts';
import { printBlockId, printFinalized, printHeader, printInnerBlock, printTxEvents } from './print-block.ts';

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
