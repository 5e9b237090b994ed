import { bytesToUtf8 } from 'strata-kit/bytes';
import type { Context, Module } from '../../app/module.ts';
import { EXTENSION, MSG_ETHEREUM_TX, runEthereumAnte } from './ante.ts';
import { deployContracts } from './genesis.ts';
import { beginBlock, blockBloom } from './keeper.ts';
import { createMachine, type Machine, type MachineOptions } from './machine.ts';
import { ethereumTx } from './messages.ts';
import { queries } from './queries.ts';
import { createTransactionReader, type EthereumTx } from './transaction.ts';

type Chained = Pick<Context, 'parameters'>;

/** The EVM of one chain, in the shape of cosmos/evm 0.4 and later. It is made when the chain's id is known: at first use. */
export function createEvmModule(options: MachineOptions = {}): Module {
  let machine: Promise<Machine> | undefined;
  let read: ((raw: Uint8Array) => EthereumTx) | undefined;

  function machineOf({ parameters }: Chained): Promise<Machine> {
    machine ??= createMachine(parameters.evmChainId, options);
    return machine;
  }

  function readerOf({ parameters }: Chained): (raw: Uint8Array) => EthereumTx {
    read ??= createTransactionReader(parameters.evmChainId);
    return read;
  }

  return {
    name: 'evm',
    messages: {
      [MSG_ETHEREUM_TX]: async (context, message) =>
        ethereumTx({ machine: await machineOf(context), read: readerOf(context) }, context, message),
    },
    queries,
    antes: {
      [EXTENSION]: {
        messages: [MSG_ETHEREUM_TX],
        run: (context, tx) => runEthereumAnte(readerOf(context), context, tx),
      },
    },
    beginBlock(context) {
      beginBlock(context.state, context.height, context.blockHash);
    },
    endBlock(context) {
      // 256 bytes as they are: a node's text of them is full of NUL and U+FFFD
      context.emitPlain('block_bloom', [['bloom', bytesToUtf8(blockBloom(context.state))]]);
    },
    initGenesis: async (context, genesis) => deployContracts(await machineOf(context), context, genesis),
  };
}
