import { type Key, keyFromSeed } from './keys.ts';

/**
 * The key of the trade desk on a reference chain, public on purpose: its coins have no value. `strata app --testnet` trades
 * with it, and the chain names its account among the services.
 */
export function testnetDeskKey(): Key {
  return keyFromSeed('eth_secp256k1', 'strata/testnet/desk');
}
