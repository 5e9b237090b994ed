import { describe, expect, it } from 'vitest';
import { nextPath } from '../../../web/src/pages/wallet/next-path.ts';

describe('the path that a wallet leads back to', () => {
  it.each([
    '/',
    '/desk',
    '/desk?symbol=HARB&side=buy',
    '/asset/4729aa?tab=holders#top',
    '/?layer=2',
    '/account/aeva1qqq',
    '/tx/0xAB%20c',
  ])('%j is kept', (path) => {
    expect(nextPath(path)).toBe(path);
  });

  it.each([
    undefined,
    '',
    'desk',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' /desk',
    '/desk\u0000',
    '/.//evil.example',
    '/..//evil.example',
    '/desk/..//evil.example',
    '/desk/../../evil',
    '/desk//evil.example',
    '/%2e%2e//evil.example',
    '/%2fevil.example',
    '/%5cevil.example',
    '/%09/evil.example',
    '%2f%2fevil.example',
    'http://evil.example/desk',
    'https:evil.example',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '/@evil.example',
    '/evil.example',
    '/api/chain',
    '/v1/stats',
    '/reference',
    '/wallet?next=/wallet',
    '/⁄evil.example',
    '/／evil.example',
    `/desk?${'a'.repeat(3_000)}`,
  ])('%j leads nowhere', (path) => {
    expect(nextPath(path)).toBeUndefined();
  });
});
