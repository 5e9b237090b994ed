import { type Key, keyFromSeed } from '../../devnet/client/keys.ts';
import { testnetDeskKey } from '../../devnet/client/testnet-desk.ts';

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
