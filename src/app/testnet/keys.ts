import { type Key, keyFromSeed } from '../../devnet/client/keys.ts';

/**
 * Keys of a reference chain's accounts, public on purpose: their coins have no value. The faucet's is in every genesis
 * (docs/devnet.md); the desk's is this app's own, and the faucet pays it.
 */
export function testnetKeys(): { readonly faucet: Key; readonly desk: Key } {
  return {
    faucet: keyFromSeed('eth_secp256k1', 'strata/devnet/service/faucet'),
    desk: keyFromSeed('eth_secp256k1', 'strata/testnet/desk'),
  };
}
