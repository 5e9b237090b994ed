import { statusWord } from '../assets.ts';
import { type Part, type Sentence, say } from './sentence.ts';

const BEFORE = /^failed to execute message; message index: \d+: /;
const DENIED =
  /policy denied: asset\/([0-9a-f]{64})\/kind\/(\d+)(\/override)?\/(CLOSED|ATTESTED)(?:\/([^/\s]+))?\/(sender|recipient)/;

/** What nobody but programmers would say, in words; all else is told as the chain tells it, with its parts linked. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/^out of gas/, 'it needed more gas than it was given'],
  [/^insufficient fees/, 'the fee was less than the chain asks for'],
  [
    /^account sequence mismatch|tx nonce: \d+/,
    'its number was not the next one of the account; another transaction came first, or one before it is missing',
  ],
  [/tx timeout height/, 'it came after the last block that it was meant for'],
  [/^signature verification failed/, 'its signature does not fit the account'],
  [/insufficient funds/, 'the account did not have the coins'],
  [/^execution reverted$/, 'the contract refused it without a reason'],
  [/^invalid opcode/, 'the contract stopped at an instruction that does not exist'],
];

/** Why a tx failed, of its raw_log or of its EVM's revert_reason. Words of the chain stay where ours would tell less. */
export function reasonSentence(reason: string): Sentence {
  const told = reason.replace(BEFORE, '').trim();
  if (told === '') return ['the chain gives no reason'];
  const denied = DENIED.exec(told);
  if (denied !== null) return denial(denied);
  const known = KNOWN.find(([pattern]) => pattern.test(told));
  return known === undefined ? linked(told) : [known[1]];
}

/** The asset whose policy denied it, of what `reasonSentence` takes. */
export function deniedAsset(reason: string): string | undefined {
  return DENIED.exec(reason)?.[1];
}

function denial([, id = '', kind = '', override, mode, type, party]: RegExpExecArray): Sentence {
  const asset: Part = { is: 'asset', id, lead: ' of ' };
  const rights: Part = { is: 'kind', assetId: id, kindId: Number(kind) };
  const whose = override === undefined ? ['the policy'] : say`the policy of ${rights}`;
  const why =
    mode === 'CLOSED'
      ? say` lets only the issuer give`
      : say` asks that whoever receives ${rights} is attested as ${{ is: 'text', text: type ?? '' } as const}`;
  const who =
    party === 'sender'
      ? 'the sender is not the issuer'
      : 'the recipient is not, or not by those whose word counts';
  return say`${whose}${asset}${why}, and ${who}`;
}

const PARTS =
  /\b([0-9a-f]{64})\b|\b([a-z]+1[02-9ac-hj-np-z]{38,58})\b|\b(settlement|encumbrance|delegation)[ /](\d{1,20})\b|\b(\d{1,80})([au][a-z]{3,15})\b|\b(ASSET_STATUS_[A-Z]+)\b|\b(?:POLICY_MODE|KIND_CLASS|END_REASON|STATUS|KIND)_([A-Z_]+)\b/g;

function linked(text: string): Sentence {
  const parts: Part[] = [];
  let at = 0;
  for (const found of text.matchAll(PARTS)) {
    if (found.index > at) parts.push({ is: 'text', text: text.slice(at, found.index) });
    parts.push(partOf(found));
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push({ is: 'text', text: text.slice(at) });
  return parts;
}

function partOf([, asset, account, record, id, amount, denom, status, word]: RegExpMatchArray): Part {
  if (asset !== undefined) return { is: 'asset', id: asset, lead: '' };
  if (account !== undefined) return { is: 'address', address: account };
  if (record !== undefined) return { is: 'link', href: `/${record}/${id}`, text: `${record} ${id}` };
  if (amount !== undefined && denom !== undefined) return { is: 'coin', amount, denom };
  if (status !== undefined) return statusWord(status) ?? status;
  return (word ?? '').replaceAll('_', ' ').toLowerCase();
}
