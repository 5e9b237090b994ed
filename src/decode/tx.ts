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
    let body: WireReader | undefined;
    let authInfo: WireReader | undefined;
    while (raw.next()) {
      if (raw.field === 1) body = raw.message();
      else if (raw.field === 2) authInfo = raw.message();
      else if (raw.field === 3) raw.span();
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

function readMessages(reader: WireReader): AnyMessage[] {
  const messages: AnyMessage[] = [];
  while (reader.next()) {
    if (reader.field === 1) messages.push(readAnyField(reader.message()));
    else reader.skip();
  }
  return messages;
}

const NO_BYTES = new Uint8Array(0);

/** Errors: WireError on broken bytes. */
export function readAny(bytes: Uint8Array): AnyMessage {
  return readAnyField(new WireReader(bytes));
}

function readAnyField(reader: WireReader): AnyMessage {
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
function readFeeIfWhole(authInfo: WireReader | undefined): { feeText: string; feePayer: string } {
  try {
    return readFee(authInfo);
  } catch {
    return { feeText: '[]', feePayer: '' };
  }
}

function readFee(reader: WireReader = new WireReader(NO_BYTES)): { feeText: string; feePayer: string } {
  let feeText = '';
  let feePayer = '';
  while (reader.next()) {
    if (reader.field !== 2) {
      reader.skip();
      continue;
    }
    const fee = reader.message();
    while (fee.next()) {
      if (fee.field === 1) feeText += `${feeText === '' ? '' : ','}${readCoin(fee.message())}`;
      else if (fee.field === 3) feePayer = fee.latin1();
      else fee.skip();
    }
  }
  return { feeText: `[${feeText}]`, feePayer };
}

function readCoin(reader: WireReader): string {
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
      if (reader.field === 1) older.push(readAnyField(reader.message()));
      else if (reader.field === 2) newer.push(readAnyField(reader.message()));
      else reader.skip();
    }
  } catch {
    // a broken response is as good as none: the tx keeps its row, the EVM view takes its fields from the message
  }
  return newer.length > 0 ? newer : older;
}
