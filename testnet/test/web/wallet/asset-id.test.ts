import { assetIdOf as chainsOwn, rightAddressOf } from 'strata-kit/client/asset-ids';
import { describe, expect, it } from 'vitest';
import { assetIdOf, rightTokenOf } from '../../../web/src/wallet/asset-id.ts';

const IVY = new Uint8Array(20).fill(0x11);
const GOLDEN = '472937304b8fe0f9b158105de5a16c5a36f7e42c39dc03b3c0eef0e90960a38a';

describe('the id of an asset that is not there yet', () => {
  it('is the one of docs/devnet.md', () => {
    expect(assetIdOf('aeva', IVY, 0n)).toBe(GOLDEN);
    expect(Buffer.from(rightTokenOf('aeva', GOLDEN, 0)).toString('hex')).toBe(
      'ae855a47f452acd8007d1051493b49f5478742dd',
    );
  });

  it('is the one that the chain gives, whatever the issuer has created before', () => {
    for (const nonce of [1n, 255n, 256n, 2n ** 32n, 2n ** 64n - 1n]) {
      for (const namespace of ['aeva', 'other']) {
        expect(assetIdOf(namespace, IVY, nonce)).toBe(chainsOwn(namespace, IVY, nonce));
        expect(rightTokenOf(namespace, GOLDEN, 300)).toEqual(rightAddressOf(namespace, GOLDEN, 300));
      }
    }
  });
});
