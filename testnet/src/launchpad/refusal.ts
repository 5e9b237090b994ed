import { AppError } from '../errors.ts';
import type { LaunchpadDocument } from './document.ts';
import { type FoundPromise, findPromises } from './promises/promises.ts';

/** So many promises are quoted, each so long at most. */
const QUOTED = 3;
const QUOTED_CHARACTERS = 120;

/** Every promise of a document, its name and symbol first. */
export function promisesOf({
  name,
  symbol,
  description,
}: Pick<LaunchpadDocument, 'name' | 'symbol' | 'description'>): readonly (FoundPromise & {
  readonly field: string;
})[] {
  return [
    ...findPromises(name, 'name').map((found) => ({ ...found, field: 'name' })),
    ...findPromises(symbol, 'name').map((found) => ({ ...found, field: 'symbol' })),
    ...findPromises(description, 'copy').map((found) => ({ ...found, field: 'description' })),
  ];
}

/**
 * Refuses a document whose name, symbol or description promises rewards, airdrops, returns or value (api.md, "Launchpad
 * endpoints"; docs/launchpad.md has the rules). Errors: AppError bad_request that quotes the words as they were written.
 */
export function refusePromises(document: LaunchpadDocument): void {
  const found = promisesOf(document);
  if (found.length === 0) return;
  const quotes = found
    .slice(0, QUOTED)
    .map(({ field, topic, words }) => `${field} promises ${topic}: "${shortened(words)}"`);
  throw new AppError(
    'bad_request',
    `a document must not promise rewards, airdrops, returns or value; ${quotes.join('; ')}`,
  );
}

function shortened(words: string): string {
  const characters = [...words];
  return characters.length <= QUOTED_CHARACTERS
    ? words
    : `${characters.slice(0, QUOTED_CHARACTERS).join('')}…`;
}
