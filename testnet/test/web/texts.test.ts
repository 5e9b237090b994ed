import { describe, expect, it } from 'vitest';
import { amountText, countText } from '../../web/src/text/amounts.ts';
import { methodText } from '../../web/src/text/methods.ts';
import { shortAddress, shorten } from '../../web/src/text/shorten.ts';
import { durationText, exactTime, relativeTime } from '../../web/src/text/times.ts';

describe('amounts', () => {
  it.each([
    ['0', 6, '0', '0'],
    ['1', 6, '<0.0001', '0.000001'],
    ['99999', 6, '0.0999', '0.099999'],
    ['1999999', 6, '1.9999', '1.999999'],
    ['1234567890000', 6, '1,234,567.89', '1,234,567.89'],
    ['-1500000', 6, '−1.5', '−1.5'],
    ['-1', 6, '<−0.0001', '−0.000001'],
    ['12', 0, '12', '12'],
    ['1000000000000000001', 18, '1', '1.000000000000000001'],
    [
      '57896044618658097711785492504343953926634992332820282019728792003956564819967',
      0,
      '57,896,044,618,658,097,711,785,492,504,343,953,926,634,992,332,820,282,019,728,792,003,956,564,819,967',
      '57,896,044,618,658,097,711,785,492,504,343,953,926,634,992,332,820,282,019,728,792,003,956,564,819,967',
    ],
  ])('%s with %i decimals is %s, exactly %s', (amount, decimals, short, exact) => {
    expect(amountText(amount, decimals)).toEqual({ short, exact });
  });

  it('counts have groups of three', () => {
    expect([countText(0), countText(999), countText(1_000), countText('12345678')]).toEqual([
      '0',
      '999',
      '1,000',
      '12,345,678',
    ]);
  });
});

describe('times', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');

  it.each([
    ['2026-11-22T12:00:00Z', 'now'],
    ['2026-11-22T11:59:59Z', '1 s ago'],
    ['2026-11-22T11:58:01Z', '1 min ago'],
    ['2026-11-22T09:59:59Z', '2 h ago'],
    ['2026-11-08T12:00:00Z', '14 d ago'],
    ['2026-11-22T12:10:00.123456789Z', 'in 10 min'],
    ['2025-11-01T12:00:00Z', '1 y ago'],
    ['never', 'never'],
  ])('%s is %s', (at, text) => {
    expect(relativeTime(at, now)).toBe(text);
  });

  it('are exact where they are to be', () => {
    expect(exactTime('2026-11-20T10:00:00.250000001Z')).toBe('2026-11-20 10:00:00.250000001 UTC');
  });

  it.each([
    [0, '0 s'],
    [59.9, '59 s'],
    [3_661, '1 h 1 min'],
    [86_400 * 3 + 30, '3 d 30 s'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

describe('names', () => {
  it.each([
    ['/aeva.payout.v1.MsgDistribute', 'Distribute', 'payout'],
    ['/aeva.asset.v1.MsgCreateAsset', 'Create asset', 'asset'],
    ['aeva.payout.v1.EventEscrowIncomeSwept', 'Escrow income swept', 'payout'],
    ['/cosmos.evm.vm.v1.MsgEthereumTx', 'Ethereum tx', 'evm'],
    ['/Strange', 'Strange', ''],
    ['', '', ''],
  ])('%s is %s of %s', (type, name, module) => {
    expect(methodText(type)).toEqual({ name, module });
  });

  it('are shortened in the middle, and only where something is left out', () => {
    expect(shorten('0123456789abcdef0123456789abcdef')).toBe('01234567…abcdef');
    expect(shorten('0123456789abcd')).toBe('0123456789abcd');
    expect(shortAddress('aeva1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu')).toBe('aeva1qypqx…zv7xu');
    expect(shortAddress('0x96879E8F6E6d160E3f24706772bBb9c0471b6d75')).toBe('0x96879…b6d75');
  });
});
