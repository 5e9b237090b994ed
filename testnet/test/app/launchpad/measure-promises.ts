import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisesOf } from '../../../src/launchpad/refusal.ts';

/** How the refusal of promises does on a corpus: `npx tsx testnet/test/app/launchpad/measure-promises.ts frozen|own`. No texts are shown. */

interface Text {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
}

export interface Rates {
  /** Of the texts that promise something, those that are refused. */
  readonly refused: number;
  readonly ofPromises: number;
  /** Of the texts that promise nothing, those that are refused all the same. */
  readonly falseAlarms: number;
  readonly ofOthers: number;
}

export function textsOf(corpus: 'frozen' | 'own'): {
  readonly refused: readonly Text[];
  readonly accepted: readonly Text[];
} {
  return JSON.parse(readFileSync(join(import.meta.dirname, `${corpus}-texts.json`), 'utf8'));
}

export function ratesOf(corpus: 'frozen' | 'own'): Rates {
  const { refused, accepted } = textsOf(corpus);
  const count = (texts: readonly Text[]) => texts.filter((text) => promisesOf(text).length > 0).length;
  return {
    refused: count(refused),
    ofPromises: refused.length,
    falseAlarms: count(accepted),
    ofOthers: accepted.length,
  };
}

if (process.argv[1] === import.meta.filename) {
  const corpus = process.argv[2] === 'own' ? 'own' : 'frozen';
  const { refused, ofPromises, falseAlarms, ofOthers } = ratesOf(corpus);
  process.stdout.write(
    `${corpus}: ${refused} of ${ofPromises} promises refused, ${falseAlarms} of ${ofOthers} others refused\n`,
  );
}
