import { bytesToUtf8 } from '../../../core/bytes.ts';
import type { Module } from '../../app/module.ts';
import type { ChainParameters } from '../../app/parameters.ts';
import { EXTENSION, MSG_ETHEREUM_TX, runEthereumAnte } from './ante.ts';
import { chainRules } from './chain-rules.ts';
import { deployContracts } from './genesis.ts';
import { beginBlock, blockBloom } from './keeper.ts';
import { createMachine } from './machine.ts';
import { ethereumTx } from './messages.ts';
import { queries } from './queries.ts';
import { createTransactionReader } from './transaction.ts';

/** The EVM of one chain, in the shape of cosmos/evm 0.4 and later. */
export async function createEvmModule({ evmChainId }: Pick<ChainParameters, 'evmChainId'>): Promise<Module> {
  const machine = await createMachine(evmChainId);
  const read = createTransactionReader(chainRules(evmChainId));
  return {
    name: 'evm',
    messages: {
      [MSG_ETHEREUM_TX]: (context, message) => ethereumTx({ machine, read }, context, message),
    },
    queries,
    antes: {
      [EXTENSION]: {
        messages: [MSG_ETHEREUM_TX],
        run: (context, tx) => runEthereumAnte(read, context, tx),
      },
    },
    beginBlock(context) {
      beginBlock(context.state, context.height, context.blockHash);
    },
    endBlock(context) {
      // 256 bytes as they are: a node's text of them is full of NUL and U+FFFD
      context.emitPlain('block_bloom', [['bloom', bytesToUtf8(blockBloom(context.state))]]);
    },
    initGenesis: (context, genesis) => deployContracts(machine, context, genesis),
  };
}
