import { BRIDGE_CODES } from 'strata-devnet/modules/bridge/codes';
import { describe, expect, it } from 'vitest';
import {
  checkWords,
  reasonWords,
  timeOfNs,
  transferFilter,
  windowEnd,
  windowUse,
} from '../../web/src/text/bridge.ts';

describe('the limit of a window', () => {
  it.each([
    ['0', '100', 0, false],
    ['899', '1000', 899, false],
    ['900', '1000', 900, true],
    ['1', '3', 333, false],
    ['101', '100', 1_000, true],
    ['0', '0', 1_000, true],
    ['9007199254740993000', '10000000000000000000000000000000000000000', 0, false],
  ])('%s of %s is %i of a thousand', (used, limit, permille, isNearLimit) => {
    expect(windowUse(used, limit)).toEqual({ permille, isNearLimit });
  });

  it('ends at the next whole multiple of its length since 1970', () => {
    expect(windowEnd(86_400, Date.parse('2026-11-22T03:00:00Z'))).toBe('2026-11-23T00:00:00.000Z');
    expect(windowEnd(3_600, Date.parse('2026-11-22T03:00:00Z'))).toBe('2026-11-22T04:00:00.000Z');
    // as long as 64 bits can say
    expect(windowEnd(2 ** 64, Date.parse('2026-11-22T03:00:00Z'))).toBe('+275760-09-13T00:00:00.000Z');
  });
});

describe('the check of a route', () => {
  const check = {
    height: 5,
    chain_actual: '7',
    indexer_actual: '7',
    chain_ok: true,
    evaluated: true,
    agree: true,
  };

  it('agrees only where the chain agrees with itself too', () => {
    const word = (changes: Partial<typeof check>) =>
      checkWords({ ...check, ...changes }, 'DIRECTION_NATIVE_OUT').word;
    expect(word({})).toBe('Agrees');
    expect(word({ chain_ok: false })).toBe('Chain disagrees with itself');
    expect(word({ agree: false })).toBe('Disagrees');
  });

  it('is no disagreement where it could not be made, or was not yet', () => {
    const unasked = { ...check, chain_actual: '', chain_ok: false, evaluated: false };
    expect(checkWords(unasked, 'DIRECTION_SYNTHETIC_IN').tone).toBe('plain');
    expect(checkWords(null, 'DIRECTION_RIGHT_OUT').tone).toBe('plain');
  });
});

describe('why a transfer was refused', () => {
  it('has words for every code with which a transfer out is refused', () => {
    const notOfTransfers = ['taken', 'notOutside', 'delivered'];
    for (const [name, code] of Object.entries(BRIDGE_CODES))
      if (!notOfTransfers.includes(name)) expect(reasonWords(`bridge/${code}`), name).not.toMatch(/^bridge/);
  });

  it('says what each code is', () => {
    expect(reasonWords(`bridge/${BRIDGE_CODES.paused}`)).toContain('paused');
    expect(reasonWords(`bridge/${BRIDGE_CODES.capExceeded}`)).toContain('limit');
    expect(reasonWords(`bridge/${BRIDGE_CODES.assetNotActive}`)).toContain('liquidated');
    expect(reasonWords(`bridge/${BRIDGE_CODES.notBridgeable}`)).toContain('issuer');
    expect(reasonWords('bridge/99')).toBe('bridge/99');
  });
});

it('filters are those that the API knows, times are of the chain', () => {
  expect([transferFilter('in_flight'), transferFilter('sent'), transferFilter(undefined)]).toEqual([
    'in_flight',
    undefined,
    undefined,
  ]);
  expect(timeOfNs(1_795_318_475_042_000_000)).toBe('2026-11-22T03:34:35.042Z');
});
