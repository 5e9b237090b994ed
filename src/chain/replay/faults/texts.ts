import type { Dice } from 'strata-kit/rpc/faults/schedule';
import type { HeightTexts } from '../chain.ts';

/** Changes of one height's texts (latin1), in the layout that the node printed. */

/** Another char of the same kind. */
function flipHex(text: string): string {
  return text.replace(/.$/, (char) => (char === '0' ? '1' : '0'));
}

function flipDigit(text: string): string {
  return text.replace(/.$/, (char) => (char === '9' ? '8' : String(Number(char) + 1)));
}

interface Change {
  readonly member: 'block' | 'results';
  readonly pattern: RegExp;
  readonly to: (found: string) => string;
}

/** A value behind a key is the last group of its pattern. */
const CHANGES: readonly Change[] = [
  { member: 'block', pattern: /("block_id":\{"hash":")([0-9A-F]{64})/, to: flipHex },
  { member: 'block', pattern: /("last_block_id":\{"hash":")([0-9A-F]{64})/, to: flipHex },
  { member: 'block', pattern: /("app_hash":")([0-9A-F]{64})/, to: flipHex },
  { member: 'block', pattern: /("proposer_address":")([0-9A-F]{40})/, to: flipHex },
  { member: 'block', pattern: /("time":"[^"]*:)(\d\d)/, to: (seconds) => (seconds === '10' ? '11' : '10') },
  {
    member: 'block',
    pattern: /("txs":\["[A-Za-z0-9+/]{20})([A-Za-z0-9+/])/,
    to: (char) => (char === 'A' ? 'B' : 'A'),
  },
  { member: 'block', pattern: /("txs":\[)("[^"]*",)/, to: () => '' },
  { member: 'results', pattern: /("txs_results":\[\{"code":)(\d+)/, to: flipDigit },
  { member: 'results', pattern: /("gas_used":")(\d+)/, to: flipDigit },
  { member: 'results', pattern: /("gas_wanted":")(\d+)/, to: flipDigit },
  {
    member: 'results',
    pattern: /("data":"[A-Za-z0-9+/]{8})([A-Za-z0-9+/])/,
    to: (char) => (char === 'A' ? 'B' : 'A'),
  },
  { member: 'results', pattern: /("height":")(\d+)/, to: flipDigit },
];

/** Changes one field, of those that the height has, in the member that is asked for. */
export function tamper(texts: HeightTexts, member: 'block' | 'results', dice: Dice): HeightTexts {
  const text = texts[member].toString('latin1');
  const fitting = CHANGES.filter((change) => change.member === member && change.pattern.test(text));
  const change = fitting[dice.pick('field', fitting.length)];
  if (change === undefined) return texts;
  const changed = text.replace(
    change.pattern,
    (_all, before: string, found: string) => before + change.to(found),
  );
  return { ...texts, [member]: Buffer.from(changed, 'latin1') };
}

const EMPTY_RESULT =
  '{"code":0,"data":null,"log":"","info":"","gas_wanted":"0","gas_used":"0","events":[],"codespace":""}';

/** Results as an upgraded node reads those that an older version has stored: one, and nothing in it. */
export function withOneResult(results: Buffer): Buffer {
  const parsed = JSON.parse(results.toString('utf8')) as { readonly txs_results: unknown };
  const text = JSON.stringify({ ...parsed, txs_results: [JSON.parse(EMPTY_RESULT)] });
  return Buffer.from(text, 'utf8');
}

/** Results whose brackets do not close. */
export function broken(results: Buffer): Buffer {
  return results.subarray(0, results.length - 2);
}

/** Results that say they are of `height`. */
export function renamedResults(results: Buffer, height: number): Buffer {
  const text = results.toString('latin1').replace(/^\{"height":"\d+"/, `{"height":"${height}"`);
  return Buffer.from(text, 'latin1');
}
