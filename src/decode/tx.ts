import { WireReader } from '../core/wire.ts';
import { quoteLatin1 } from './json-text.ts';

/** The envelope of a Cosmos tx (cosmos.tx.v1beta1): what every chain of the kind shares. Texts are latin1. */
export interface TxEnvelope {
  readonly messages: readonly AnyMessage[];
  /** JSON text of fee.amount: `[{"denom":"…","amount":"…"},…]`. */
  readonly feeText: string;
  /** Bech32 text, empty when unset. */
  readonly feePayer: string;
}

export interface AnyMessage {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

const NO_TX: TxEnvelope = { messages: [], feeText: '[]', feePayer: '' };

/** Never throws: bytes that are no tx (a vote extension in slot 0, broken bytes) give an envelope without messages. */
export function decodeTxEnvelope(bytes: Uint8Array): TxEnvelope {
  try {
    const raw = new WireReader(bytes);
    let body: Uint8Array | undefined;
    let authInfo: Uint8Array | undefined;
    while (raw.next()) {
      if (raw.field === 1) body = raw.delimited();
      else if (raw.field === 2) authInfo = raw.delimited();
      else if (raw.field === 3) raw.delimited();
      else return NO_TX;
    }
    if (body === undefined) return NO_TX;
    const messages = readMessages(body);
    if (messages.length === 0) return NO_TX;
    return { messages, ...readFeeIfWhole(authInfo) };
  } catch {
    return NO_TX; // the row stays, with empty msgs
  }
}

function readMessages(body: Uint8Array): AnyMessage[] {
  const messages: AnyMessage[] = [];
  const reader = new WireReader(body);
  while (reader.next()) {
    if (reader.field === 1) messages.push(readAny(reader.delimited()));
    else reader.skip();
  }
  return messages;
}

const NO_BYTES = new Uint8Array(0);

/** Errors: WireError on broken bytes. */
export function readAny(bytes: Uint8Array): AnyMessage {
  const reader = new WireReader(bytes);
  let typeUrl = '';
  let value: Uint8Array = NO_BYTES;
  while (reader.next()) {
    if (reader.field === 1) typeUrl = reader.latin1();
    else if (reader.field === 2) value = reader.delimited();
    else reader.skip();
  }
  return { typeUrl, value };
}

/** A broken auth_info loses the fee, not the messages. */
function readFeeIfWhole(authInfo: Uint8Array | undefined): { feeText: string; feePayer: string } {
  try {
    return readFee(authInfo);
  } catch {
    return { feeText: '[]', feePayer: '' };
  }
}

function readFee(authInfo: Uint8Array | undefined): { feeText: string; feePayer: string } {
  let feeText = '';
  let feePayer = '';
  const reader = new WireReader(authInfo ?? NO_BYTES);
  while (reader.next()) {
    if (reader.field !== 2) {
      reader.skip();
      continue;
    }
    const fee = new WireReader(reader.delimited());
    while (fee.next()) {
      if (fee.field === 1) feeText += `${feeText === '' ? '' : ','}${readCoin(fee.delimited())}`;
      else if (fee.field === 3) feePayer = fee.latin1();
      else fee.skip();
    }
  }
  return { feeText: `[${feeText}]`, feePayer };
}

function readCoin(bytes: Uint8Array): string {
  const reader = new WireReader(bytes);
  let denom = '';
  let amount = '';
  while (reader.next()) {
    if (reader.field === 1) denom = reader.latin1();
    else if (reader.field === 2) amount = reader.latin1();
    else reader.skip();
  }
  return `{"denom":${quoteLatin1(denom)},"amount":${quoteLatin1(amount === '' ? '0' : amount)}}`;
}

/**
 * The responses in a tx result's `data` (TxMsgData), in message order, whether the node fills msg_responses (SDK 0.46
 * and later) or the older data. Type names are without a leading slash. Broken bytes give what could be read.
 */
export function decodeMessageResponses(data: Uint8Array): readonly AnyMessage[] {
  const newer: AnyMessage[] = [];
  const older: AnyMessage[] = [];
  try {
    const reader = new WireReader(data);
    while (reader.next()) {
      if (reader.field === 1) older.push(readAny(reader.delimited()));
      else if (reader.field === 2) newer.push(readAny(reader.delimited()));
      else reader.skip();
    }
  } catch {
    // a broken response is as good as none: the tx keeps its row, the EVM view takes its fields from the message
  }
  return newer.length > 0 ? newer : older;
}
