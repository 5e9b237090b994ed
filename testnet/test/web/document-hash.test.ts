import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashDocument } from '../../src/launchpad/document.ts';
import { checkDifferences } from '../../web/src/text/checks.ts';
import { documentHash } from '../../web/src/text/document-hash.ts';
import { lockWords } from '../../web/src/text/locks.ts';

const DOCUMENT = {
  name: 'Bäckerei “Zum Anker” ⚓',
  symbol: 'ANK',
  description: 'Line\nline\t"quoted" \\ \u2028 end',
  template: 'dividend',
} as const;

it('the browser makes of a document the hash that the launchpad made of it', () => {
  expect(documentHash(DOCUMENT)).toBe(hashDocument(DOCUMENT).metaHash);
  const withLogo = { ...DOCUMENT, logo: 'iVBORw0KGgo=' };
  expect(documentHash(withLogo)).toBe(hashDocument(withLogo).metaHash);
});

it('which is SHA-256 of RFC 8785 JSON, written out, without the notice of the answer', () => {
  const text = '{"description":"d","name":"n","symbol":"NN","template":"bond"}';
  const answer = { name: 'n', symbol: 'NN', description: 'd', template: 'bond', notice: 'no value' };
  expect(documentHash(answer)).toBe(createHash('sha256').update(text).digest('hex'));
  expect(documentHash({ ...answer, description: 'D' })).not.toBe(documentHash(answer));
});

it('a check that fails names the numbers that differ, and only those', () => {
  const accrual = {
    denom: 'uusd',
    index: '5',
    carry_scaled: '0',
    total_distributed: '10',
    total_paid: '4',
    module_held: '6',
  };
  const chain = { supply: '7', positions: '7', encumbered: '1', accruals: [accrual] };
  expect(checkDifferences({ chain, indexer: chain })).toEqual([]);
  expect(checkDifferences({ chain, indexer: { ...chain, positions: '8', accruals: [] } })).toEqual([
    { what: 'units of all holders', chain: '7', index: '8' },
    { what: 'paid out in uusd', chain: '10', index: 'none' },
    { what: 'claimed in uusd', chain: '4', index: 'none' },
    { what: 'held for claims in uusd', chain: '6', index: 'none' },
    { what: 'income per unit in uusd, × 10¹⁸', chain: '5', index: 'none' },
    { what: 'remainder for the next payout in uusd, × 10¹⁸', chain: '0', index: 'none' },
  ]);
});

it('locks say what holds the units, and lead there', () => {
  expect(lockWords('encumbrance/17')).toEqual({
    what: 'encumbrance',
    id: '17',
    text: 'encumbrance 17',
    href: '/encumbrance/17',
  });
  expect(lockWords('encumbrance/../x')).toMatchObject({ what: 'other', href: undefined });
});
