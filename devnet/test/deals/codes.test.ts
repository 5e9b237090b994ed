import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BRIDGE_CODES } from '../../src/modules/bridge/codes.ts';
import { DELEGATION_CODES } from '../../src/modules/delegation/codes.ts';
import { ENCUMBRANCE_CODES } from '../../src/modules/encumbrance/codes.ts';
import { SETTLEMENT_CODES } from '../../src/modules/settlement/codes.ts';
import { WATERFALL_CODES } from '../../src/modules/waterfall/codes.ts';

/** Codes are stable: whoever reads a chain's failed txs has them by number. */

const COMMON = {
  invalid: 2,
  notFound: 3,
  unauthorized: 6,
  unknownAsset: 7,
  assetNotActive: 8,
  insufficientUnits: 9,
  insufficientCoins: 10,
  notTransferable: 11,
  policyDenied: 12,
  escrow: 13,
};

const TABLES: readonly [name: string, codes: Readonly<Record<string, number>>, own: object][] = [
  ['settlement', SETTLEMENT_CODES, { notPending: 4, expired: 5 }],
  [
    'encumbrance',
    ENCUMBRANCE_CODES,
    { notActive: 4, expired: 5, liensNotAllowed: 14, evidenceMissing: 15, tooEarly: 16, notExercisable: 17 },
  ],
  ['delegation', DELEGATION_CODES, { ended: 4, notRevocable: 5 }],
  ['waterfall', WATERFALL_CODES, { notLiquidating: 4, wrongDenom: 5, nothingToPay: 14, noPool: 15 }],
  [
    'bridge',
    BRIDGE_CODES,
    { paused: 4, capExceeded: 5, notBridgeable: 14, taken: 15, notOutside: 16, delivered: 17 },
  ],
];

describe('the codes', () => {
  it.each(TABLES)('of %s are those that they were', (_, codes, own) => {
    expect(codes).toEqual({ ...COMMON, ...own });
    expect(new Set(Object.values(codes)).size).toBe(Object.keys(codes).length);
  });

  it('stand in the docs, each in its module’s column', () => {
    const page = readFileSync(new URL('../../../docs/devnet.md', import.meta.url), 'utf8');
    const section = page.slice(page.indexOf('## What these five modules refuse'));
    const rows = section
      .slice(0, section.indexOf('\n## '))
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const [header = []] = rows.filter((cells) => cells[1] === 'code');
    for (const [name, , own] of TABLES)
      for (const code of Object.values(own)) {
        const row = rows.find((cells) => cells[1] === String(code));
        expect(row?.[header.indexOf(name)], `${name}/${code}`).toBeTruthy();
      }
    for (const code of Object.values(COMMON))
      expect(
        rows.some((cells) => cells[1] === String(code)),
        String(code),
      ).toBe(true);
  });
});
