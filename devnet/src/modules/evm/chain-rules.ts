import { type Common, createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { NATIVE_CRYPTO } from './native-precompiles.ts';

/**
 * The rules of the EVM: those of Cancun under the chain's id, all of them from the first block.
 */
export function chainRules(evmChainId: bigint): Common {
  const common = createCustomCommon({ name: 'devnet', chainId: String(evmChainId) }, Mainnet, {
    hardfork: Hardfork.Cancun,
    customCrypto: NATIVE_CRYPTO,
  });
  // asked for at every opcode; the rules never change
  const activated = new Map<number, boolean>();
  const look = common.isActivatedEIP.bind(common);
  common.isActivatedEIP = (eip) => {
    let answer = activated.get(eip);
    if (answer === undefined) {
      answer = look(eip);
      activated.set(eip, answer);
    }
    return answer;
  };
  return common;
}
