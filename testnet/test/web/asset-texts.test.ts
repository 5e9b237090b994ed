import { describe, expect, it } from 'vitest';
import { multiplierText, shareText, termText } from '../../web/src/text/assets.ts';
import { delegationStatus, purposesText } from '../../web/src/text/delegations.ts';
import { listed, policyDenial, policyWords } from '../../web/src/text/policies.ts';

const ID = '472937304b8fe0f9b158105de5a16c5a36f7e42c39dc03b3c0eef0e90960a38a';

describe('policies in words', () => {
  it('open and closed say who may', () => {
    expect(policyWords({ mode: 'OPEN', required_types: [], attesters: [] }).sentence).toBe(
      'Anyone may hold and trade it.',
    );
    expect(policyWords({ mode: 'CLOSED', required_types: [], attesters: [] }).sentence).toBe(
      'Only the issuer may give it to somebody; holders cannot pass it on.',
    );
  });

  it('attested names every type and counts who may attest', () => {
    expect(
      policyWords({ mode: 'ATTESTED', required_types: ['kyc', 'accredited'], attesters: ['kim', 'noa'] })
        .sentence,
    ).toBe(
      'Only accounts with live attestations of kyc and accredited may receive it, given by any of its 2 attesters.',
    );
    expect(policyWords({ mode: 'ATTESTED', required_types: ['kyc'], attesters: ['kim'] }).sentence).toBe(
      'Only accounts with a live attestation of kyc may receive it, given by its one attester.',
    );
  });

  it('a type cannot disturb the sentence', () => {
    const { sentence } = policyWords({ mode: 'ATTESTED', required_types: ['a\u202eb'], attesters: ['kim'] });
    expect(sentence).toContain('a‹U+202E›b');
  });
});

// the examples of docs/devnet.md
describe('refusals of policies', () => {
  it.each([
    [
      `execution reverted: policy denied: asset/${ID}/kind/0/ATTESTED/kyc/recipient`,
      "Refused by the asset's policy: the recipient has no live attestation of kyc.",
    ],
    [
      `policy denied: asset/${ID}/kind/0/override/CLOSED/sender`,
      "Refused by the kind's own policy: only the issuer may give it to somebody.",
    ],
    [
      `policy denied: asset/${ID}/kind/0/override/ATTESTED/region/eu/recipient`,
      "Refused by the kind's own policy: the recipient has no live attestation of region/eu.",
    ],
  ])('%s', (error, sentence) => {
    expect(policyDenial(error)).toEqual({ assetId: ID, kindId: 0, sentence });
  });

  it('other errors are none', () => {
    expect(policyDenial('insufficient funds')).toBeUndefined();
  });
});

describe('shares', () => {
  it.each([
    ['1', '3', '33.33 %'],
    ['2', '3', '66.66 %'],
    ['999999', '1000000', '99.99 %'],
    ['1', '100000', '<0.01 %'],
    ['5', '5', '100.00 %'],
    ['1', '2', '50.00 %'],
    ['1', '8', '12.50 %'],
    ['0', '3', '0 %'],
    ['3', '0', '0 %'],
    [
      '57896044618658097711785492504343953926634992332820282019728792003956564819967',
      '57896044618658097711785492504343953926634992332820282019728792003956564819968',
      '99.99 %',
    ],
  ])('%s of %s is %s', (part, whole, text) => {
    expect(shareText(part, whole)).toBe(text);
  });
});

it('terms, splits and lists', () => {
  expect(termText({ starts_at: '2026-11-20T10:00:00Z', ends_at: null })).toBe(
    'from 2026-11-20 10:00:00 UTC on',
  );
  expect(termText(null)).toBeUndefined();
  expect(multiplierText(1)).toBeUndefined();
  expect(multiplierText(4)).toMatch(/each unit is shown as 4/);
  expect(listed(['a', 'b', 'c'], 'or')).toBe('a, b or c');
});

it('delegations say what is lent, and how they ended', () => {
  expect(purposesText(['VOTE', 'INCOME'])).toBe(
    'voting with the units and looking after their income, which still goes to the holder',
  );
  expect(delegationStatus('')).toEqual({ word: 'active', tone: 'good' });
  expect(delegationStatus('END_REASON_RETURNED').word).toBe('given back');
});
