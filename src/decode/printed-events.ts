import { type EvmLog, type FallbackOutcome, parseTxLog } from './evm.ts';
import type { AccountReader } from './parties.ts';
import type { EventsText } from './results.ts';

/**
 * What old ethermint chains tell of an Ethereum message in events alone: read from the printed text, since the chains
 * of today tell it in the message and its response. Texts are latin1. msgIndex −1: the tx has one message.
 */
export interface PrintedEvent {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
}

export function parseEvents(text: Buffer, { start, end }: EventsText): readonly PrintedEvent[] {
  return JSON.parse(text.toString('latin1', start, end)) as readonly PrintedEvent[];
}

/** The SDK's own `message` event names the signer beside the action. */
export function senderFromEvents(
  events: readonly PrintedEvent[],
  typeUrl: string,
  msgIndex: number,
  accounts: AccountReader,
): Uint8Array | undefined {
  for (const event of events) {
    if (event.type !== 'message' || find(event, 'action') !== typeUrl) continue;
    if (!belongsTo(event, msgIndex)) continue;
    const account = accounts.bytesOf(find(event, 'sender') ?? '');
    if (account?.length === 20) return account;
  }
  return undefined;
}

/** Logs and failure, for results without a response, or for a response without logs. */
export function fallbackOutcome(events: readonly PrintedEvent[], msgIndex: number): FallbackOutcome {
  const logs: EvmLog[] = [];
  let vmError = '';
  for (const event of events) {
    if (event.type !== 'tx_log' && event.type !== 'ethereum_tx') continue;
    if (!belongsTo(event, msgIndex)) continue;
    for (const { key, value } of event.attributes) {
      const log = key === 'txLog' ? parseTxLog(value) : undefined;
      if (log !== undefined) logs.push(log);
    }
    vmError ||= find(event, 'ethereumTxFailed') ?? '';
  }
  return { logs, vmError };
}

function belongsTo(event: PrintedEvent, msgIndex: number): boolean {
  return msgIndex < 0 || find(event, 'msg_index') === String(msgIndex);
}

function find(event: PrintedEvent, key: string): string | undefined {
  return event.attributes.find((attribute) => attribute.key === key)?.value;
}
