/** Why the chain said no, and what to do, for whoever wanted to sign. */

interface Denial {
  readonly kind: string;
  readonly mode: string;
  readonly type: string | undefined;
}

const DENIED =
  /policy denied: asset\/[0-9a-f]{64}\/kind\/(\d+)\/(?:override\/)?([A-Z]+)(?:\/(\S+))?\/(?:sender|recipient)/;

/** By what the chain's log says; the first that fits. */
const REASONS: readonly (readonly [log: RegExp, words: string])[] = [
  [/is not transferable/, 'Units of this kind cannot be moved at all: the issuer made it so.'],
  [
    /has (\d+) transferable units of kind \d+/,
    'There are not enough units that are free to move. Units in an open settlement, a pledge or a delegation are locked.',
  ],
  [
    /insufficient fee/,
    'The fee is too small for this chain. Start again: the price of gas may have changed.',
  ],
  [
    /spendable balance|insufficient funds|has \d+[a-zA-Z][\w/]*, not/,
    'There are not enough coins for this and its fee. Get some from the faucet, or send less.',
  ],
  [/sequence mismatch/, 'Another transaction of this wallet came in between. Start again, nothing was lost.'],
  [/out of gas/, 'It took more gas than was foreseen. Start again; the fee is spent, nothing else happened.'],
  [/timeout height/, 'It was signed too long ago. Start again, nothing was lost.'],
  [/mempool is full/, 'The chain has too many transactions waiting. Try again in a minute.'],
  [/already in mempool|exists in cache/, 'The chain has this transaction already and is working on it.'],
  [
    /signature verification failed|pubKey does not match/,
    'The signature is not one of this account on this chain. Connect the wallet again.',
  ],
  [/settlement \d+ has expired/, 'The offer has expired. Ask for a new one.'],
  [/settlement \d+ is STATUS_SETTLED/, 'It is settled already.'],
  [/settlement \d+ is STATUS_CANCELLED/, 'It was cancelled.'],
  [/settlement \d+ is STATUS_EXPIRED/, 'It has expired.'],
  [/is not the counterparty of settlement/, 'It is offered to another account than yours.'],
  [/is no party of settlement/, 'Only its two parties may cancel it.'],
  [/no settlement \d+/, 'There is no such settlement.'],
  [
    /asset [0-9a-f]{64} is (LIQUIDATING|LIQUIDATED|ASSET_STATUS)/,
    'The asset is being liquidated, which ends everything but claims.',
  ],
  [/issuance of asset [0-9a-f]{64} is locked/, 'Issuance of this asset has ended for good.'],
  [/is not the issuer of asset/, 'Only the issuer of the asset may do this.'],
  [/unknown asset/, 'There is no such asset.'],
  [/has no kind/, 'The asset has no such kind.'],
  [/nothing to claim/i, 'There is nothing to claim any more.'],
  [/may not be distributed/, 'This asset does not let this coin be paid out.'],
  [
    /kind \d+ of asset [0-9a-f]{64} has no units/,
    'Nobody holds units of this kind, so there is nobody to pay.',
  ],
  [/sender and recipient are both/, 'The recipient is yourself.'],
  [
    /is an account of the chain's own/,
    "The recipient is one of the chain's own accounts, from which nothing ever comes back.",
  ],
  [/is not allowed to receive/, "The recipient is one of the chain's own accounts, which take nothing."],
];

/** In words; what is not known is told as the chain tells it. */
export function refusalText(log: string): string {
  const denied = denialOf(log);
  if (denied !== undefined) return denialText(denied);
  return REASONS.find(([known]) => known.test(log))?.[1] ?? `The chain refuses: ${plain(log)}`;
}

function denialOf(log: string): Denial | undefined {
  const [, kind, mode, type] = DENIED.exec(log) ?? [];
  return kind === undefined || mode === undefined ? undefined : { kind, mode, type };
}

function denialText({ kind, mode, type }: Denial): string {
  if (mode === 'CLOSED')
    return `The asset's policy for kind ${kind} is closed: only the issuer may give units of it.`;
  return `The asset's policy for kind ${kind} asks who receives units to be attested as “${type ?? ''}”, by an attester that it accepts. The recipient is not.`;
}

/** Without what gRPC and the SDK put around it. */
function plain(log: string): string {
  return log
    .replace(/^rpc error: code = \w+ desc = /, '')
    .replace(/^failed to execute message; message index: \d+: /, '')
    .replace(/: (invalid request|key not found|tx parse error)$/, '');
}
