import { plural } from '../rights.ts';

/** A sentence about the chain, in parts: what can be linked or written with decimals is a part of its own. */
export type Sentence = readonly Part[];

export type Part =
  | string
  /** Bech32, or 0x of an EVM account. */
  | { readonly is: 'address'; readonly address: string }
  /** `lead` are words before it that go with it, where a page about the asset leaves it out. */
  | { readonly is: 'asset'; readonly id: string; readonly lead: string }
  /** Units of a kind in base units; of the whole share where no kind is named. */
  | {
      readonly is: 'units';
      readonly assetId: string;
      readonly kindId: number | undefined;
      readonly units: string;
    }
  /** A kind of an asset's rights, all of its units. */
  | { readonly is: 'kind'; readonly assetId: string; readonly kindId: number }
  | { readonly is: 'coin'; readonly amount: string; readonly denom: string }
  /** A coin without an amount. */
  | { readonly is: 'denom'; readonly denom: string }
  /** An amount over a bridge's route, in base units of what the route moves. */
  | { readonly is: 'routed'; readonly routeId: string; readonly amount: string }
  /** An amount of an ERC-20 in its base units. */
  | { readonly is: 'token'; readonly contract: string; readonly amount: string }
  | { readonly is: 'link'; readonly href: string; readonly text: string }
  | { readonly is: 'time'; readonly at: string }
  /** Text that somebody wrote to the chain. */
  | { readonly is: 'text'; readonly text: string };

/** say`${address(from)} sent ${coins}` */
export function say(words: TemplateStringsArray, ...parts: readonly (Part | Sentence)[]): Sentence {
  return words
    .flatMap((word, at): Sentence => {
      const part = parts[at];
      return part === undefined ? [word] : [word, ...(Array.isArray(part) ? part : [part as Part])];
    })
    .filter((part) => part !== '');
}

/** With `, ` between, and ` and ` before the last. */
export function listed(items: readonly Sentence[]): Sentence {
  return items.flatMap((item, at) => (at === 0 ? item : [at === items.length - 1 ? ' and ' : ', ', ...item]));
}

/** Ids of the assets that a sentence names or counts units of, each once. */
export function assetsOf(sentence: Sentence): readonly string[] {
  const ids = sentence.flatMap((part) => {
    if (typeof part === 'string') return [];
    if (part.is === 'asset') return [part.id];
    return part.is === 'units' || part.is === 'kind' ? [part.assetId] : [];
  });
  return [...new Set(ids)].filter((id) => id !== '');
}

/** Without its links, amounts in base units: for titles, and for whoever hears it. */
export function plain(sentence: Sentence): string {
  return sentence.map(plainPart).join('');
}

function plainPart(part: Part): string {
  if (typeof part === 'string') return part;
  switch (part.is) {
    case 'address':
      return part.address;
    case 'asset':
      return `${part.lead}${part.id}`;
    case 'units':
      return `${baseUnits(part.units)} of ${part.kindId === undefined ? 'whole shares' : `kind ${part.kindId}`}`;
    case 'kind':
      return `kind ${part.kindId}`;
    case 'coin':
      return `${part.amount} ${part.denom}`;
    case 'denom':
      return part.denom;
    case 'token':
      return `${baseUnits(part.amount)} of the token ${part.contract}`;
    case 'routed':
      return baseUnits(part.amount);
    case 'time':
      return part.at;
    case 'link':
    case 'text':
      return part.text;
  }
}

function baseUnits(amount: string): string {
  return `${amount} ${plural('base unit', amount === '1')}`;
}

/** The same with its first letter in upper case, where it begins with words of ours. */
export function capital(sentence: Sentence): Sentence {
  const [first, ...rest] = sentence;
  if (typeof first === 'string') return [upper(first), ...rest];
  // the number of a settlement or the like is words of ours as well
  return typeof first === 'object' && first.is === 'link' && /^[a-z]+ \d+$/.test(first.text)
    ? [{ ...first, text: upper(first.text) }, ...rest]
    : sentence;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
