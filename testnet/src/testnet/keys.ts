import { type Key, keyFromSeed } from 'strata-kit/client/keys';
import { testnetDeskKey } from 'strata-kit/client/testnet-desk';

/**
 * Keys of a reference chain's accounts, public on purpose: their coins have no value. The faucet's is in every genesis
 * (docs/devnet.md). The faucet pays the desk's account.
 */
export function testnetKeys(): { readonly faucet: Key; readonly desk: Key } {
  return {
    faucet: keyFromSeed('eth_secp256k1', 'strata/devnet/service/faucet'),
    desk: testnetDeskKey(),
  };
}
