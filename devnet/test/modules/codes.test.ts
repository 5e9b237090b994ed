import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ASSET_CODES } from '../../src/modules/asset/codes.ts';
import { ATTESTATION_CODES } from '../../src/modules/attestation/codes.ts';
import { PAYOUT_CODES } from '../../src/modules/payout/codes.ts';
import { RIGHTS_CODES } from '../../src/modules/rights/codes.ts';

const TABLES = {
  asset: ASSET_CODES,
  attestation: ATTESTATION_CODES,
  rights: RIGHTS_CODES,
  payout: PAYOUT_CODES,
};
const LENT_FROM = 20;

/** Columns of docs/devnet.md, under the heading of what these modules refuse: by code. */
const docs = readFileSync(new URL('../../../docs/devnet.md', import.meta.url), 'utf8');
const [, chapter = ''] = docs.split('\n## What these four modules refuse\n');
const rows = new Map(
  [...(chapter.split('\n## ')[0] ?? '').matchAll(/^\| (\d+) \|(.*)\|$/gm)].map(([, code, cells = '']) => [
    Number(code),
    cells.split('|').map((cell) => cell.trim()),
  ]),
);

describe('codes of refusals', () => {
  it('are each one thing, never 1, and of one module alone from 20 on', () => {
    const lent = Object.values(TABLES).flatMap((codes) =>
      Object.values<number>(codes).filter((code) => code >= LENT_FROM),
    );
    expect(new Set(lent).size).toBe(lent.length);
    for (const codes of Object.values(TABLES)) {
      const all = Object.values<number>(codes);
      expect(new Set(all).size).toBe(all.length);
      expect(Math.min(...all)).toBe(2);
    }
  });

  it.each(Object.entries(TABLES))('of %s stand in docs/devnet.md, and no others', (name, codes) => {
    const column = Object.keys(TABLES).indexOf(name);
    const own = [...rows].filter(([code, cells]) => code < LENT_FROM && cells[column] !== '');
    const all = Object.values<number>(codes);
    expect(own.map(([code]) => code)).toEqual(all.filter((code) => code < LENT_FROM).sort((a, b) => a - b));
    for (const code of all.filter((each) => each >= LENT_FROM)) expect(rows.get(code)?.[0]).toBeTruthy();
  });

  it('are as stable as this list', () => {
    expect(TABLES).toEqual({
      asset: {
        invalid: 2,
        unauthorized: 3,
        issuanceLocked: 4,
        unequalDecimals: 5,
        unknownAsset: 20,
        unknownKind: 21,
        notActive: 22,
        policyDenied: 23,
        notTransferable: 24,
      },
      attestation: { invalid: 2, notFound: 3, expired: 4, alreadyRevoked: 5 },
      rights: {
        invalid: 2,
        unauthorized: 3,
        issuanceLocked: 4,
        notRedeemable: 5,
        invalidUnits: 40,
        sameAccount: 41,
        insufficientUnits: 42,
        tooMuchSupply: 43,
        notLocked: 44,
        escrowRecipient: 45,
      },
      payout: {
        invalid: 2,
        unauthorized: 3,
        denomNotAllowed: 4,
        noSupply: 5,
        nothingToClaim: 6,
        amountTooLarge: 7,
        insufficientCoins: 8,
        unknownRoute: 60,
        routeTooLarge: 61,
      },
    });
  });
});
