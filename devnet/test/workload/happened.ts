import { id as keccakOfText } from 'ethers';
import type { AbciEvent } from 'strata-kit/abci-event';
import { decodeBech32 } from 'strata-kit/address';
import type { Codec } from 'strata-kit/codec/codec';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import type { Block } from '../../src/comet/types.ts';

/** What happened on a chain, in the order in which it did: events of the modules, Ethereum messages and Syncs of pairs. */
export interface Happened {
  readonly events: readonly TypedEvent[];
  /** The Ethereum messages of each tx that succeeded and has some. */
  readonly batches: readonly (readonly EthereumMessage[])[];
  readonly syncs: readonly Sync[];
  readonly blockTimes: readonly bigint[];
}

export interface TypedEvent {
  /** `rights.EventIssued`. */
  readonly type: string;
  readonly fields: JsonObject;
  /** `tx`, or the phase of the block. */
  readonly where: Where;
}
export type Where = 'tx' | 'PreBlock' | 'BeginBlock' | 'EndBlock';

export interface EthereumMessage {
  /** 0x hex. */
  readonly from: string;
  readonly failed: boolean;
  readonly creates: boolean;
}

export interface Sync {
  readonly pair: string;
  readonly reserves: readonly [bigint, bigint];
}

export interface Recorder extends Happened {
  add(block: Block): void;
}

const SYNC = keccakOfText('Sync(uint112,uint112)');
const NAMESPACE = 'aeva.';

export function createRecorder(codec: Codec): Recorder {
  const events: TypedEvent[] = [];
  const batches: EthereumMessage[][] = [];
  const syncs: Sync[] = [];
  const blockTimes: bigint[] = [];

  function addEvents(list: readonly AbciEvent[], where: (event: AbciEvent) => Where): void {
    for (const event of list) {
      if (!event.type.startsWith(NAMESPACE)) continue;
      const fields = event.attributes
        .filter(([key], i) => i !== event.attributes.length - 1 || (key !== 'mode' && key !== 'msg_index'))
        .map(([key, value]) => [key, JSON.parse(value) as Json] as const);
      const type = event.type.slice(NAMESPACE.length).replace('.v1.', '.');
      events.push({ type, fields: Object.fromEntries(fields), where: where(event) });
    }
  }

  function addEthereum(bytes: Uint8Array, data: Uint8Array): void {
    const { body_bytes } = codec.decode('/cosmos.tx.v1beta1.TxRaw', bytes);
    const body = codec.decode('/cosmos.tx.v1beta1.TxBody', Buffer.from(String(body_bytes), 'base64'));
    const messages = (body.messages as readonly JsonObject[]).filter(
      (message) => message['@type'] === '/cosmos.evm.vm.v1.MsgEthereumTx',
    );
    if (messages.length === 0) return;
    const responses = codec.decode('/cosmos.base.abci.v1beta1.TxMsgData', data)
      .msg_responses as readonly JsonObject[];
    batches.push(
      messages.map((message, i) => ({
        from: Buffer.from(String(message.from), 'base64').toString('hex'),
        failed: responses[i]?.vm_error !== '',
        creates: responses[i]?.vm_error === '' && isCode(String(responses[i]?.ret ?? '')),
      })),
    );
    for (const log of responses.flatMap(({ logs }) => logs as readonly JsonObject[])) {
      if ((log.topics as readonly string[])[0] !== SYNC) continue;
      const hex = Buffer.from(String(log.data), 'base64').toString('hex');
      const reserves = [BigInt(`0x${hex.slice(0, 64)}`), BigInt(`0x${hex.slice(64)}`)] as const;
      syncs.push({ pair: String(log.address), reserves });
    }
  }

  return {
    events,
    batches,
    syncs,
    blockTimes,
    add({ header, txs, results, events: ofBlock }) {
      blockTimes.push(header.timeNs);
      const phaseOf = ({ attributes }: AbciEvent): Where => {
        const [key, value] = attributes.at(-1) ?? [];
        return key === 'mode' ? (value as Where) : 'PreBlock';
      };
      addEvents(
        ofBlock.filter((event) => phaseOf(event) !== 'EndBlock'),
        phaseOf,
      );
      for (const [i, { code, data, events: ofTx }] of results.entries()) {
        if (code !== 0) continue;
        addEvents(ofTx, () => 'tx');
        addEthereum(txs[i] ?? new Uint8Array(), data);
      }
      addEvents(
        ofBlock.filter((event) => phaseOf(event) === 'EndBlock'),
        phaseOf,
      );
    },
  };
}

/** A creation answers the code that it put in place: here one byte. A call answers whole words, or nothing. */
function isCode(ret: string): boolean {
  const { length } = Buffer.from(ret, 'base64');
  return length > 0 && length % 32 !== 0;
}

export function isThirtyTwoBytes(address: unknown): boolean {
  return decodeBech32(String(address))?.bytes.length === 32;
}
