import { createEVM, type EVMResult, type Log, type PrecompileFunc } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import { bytesToHex, equalBytes } from 'strata-kit/bytes';
import { chainRules } from './chain-rules.ts';
import type { AccessListEntry } from './intrinsic-gas.ts';
import { blockHashOf } from './keeper.ts';
import { meteredOpcodes } from './metered-opcodes.ts';
import { metered } from './native-precompiles.ts';
import { vmError } from './outcome.ts';
import { quicken } from './quick-interpreter.ts';
import { createStateManager, type Session } from './state-manager.ts';
import { createWorkMeter } from './work.ts';

/** The most gas that one tx, or a block, may use: what GASLIMIT answers. */
export const BLOCK_GAS_LIMIT = 40_000_000n;

export interface BlockMoment {
  readonly height: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** 20 bytes. */
  readonly coinbase: Uint8Array;
  readonly baseFee: bigint;
}

/** What is to be executed: its sender's nonce is counted up already. */
export interface Call {
  /** 20 bytes. */
  readonly from: Uint8Array;
  /** Undefined for a creation. */
  readonly to: Uint8Array | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly gasLimit: bigint;
  /** Paid before anything runs. */
  readonly intrinsicGas: bigint;
  readonly gasPrice: bigint;
  readonly accessList: readonly AccessListEntry[];
}

export interface Outcome {
  readonly gasUsed: bigint;
  /** Before the refund. */
  readonly maxGasUsed: bigint;
  /** Empty for a success. */
  readonly vmError: string;
  /** What was returned, the revert's data, or a created contract's code. */
  readonly ret: Uint8Array;
  readonly logs: readonly Log[];
  /** Balances that are another now, in the order of addresses; the state has the former ones. */
  readonly balanceChanges: readonly { readonly account: string; readonly change: bigint }[];
}

/** What a precompile is told of the call that it answers. */
export interface Frame {
  readonly caller: Uint8Array;
  /** Where it is called, by the call itself. */
  readonly address: Uint8Array;
  /** Neither delegated nor with value. */
  readonly isPlain: boolean;
  readonly isStatic: boolean;
}

export interface MachineSession extends Session {
  /** The chain's precompile at an address (40 hex digits), undefined where there is none. */
  precompile(address: string, frame: () => Frame): PrecompileFunc | undefined;
}

/** Executes one call after another; not two at a time. */
export interface Machine {
  execute(session: MachineSession, block: BlockMoment, call: Call): Promise<Outcome>;
}

export interface MachineOptions {
  /** Which interpreter loop runs: our quick one (the default) or the library's. Results are equal (decision 48). */
  readonly evmLoop?: 'quick' | 'library';
  /** Runs before each call inside an execution; what it throws ends the execution. */
  readonly onCall?: () => void;
}

interface Started {
  readonly caller: Address;
  readonly to?: Address;
  readonly codeAddress: Address;
  readonly value: bigint;
  readonly isStatic: boolean;
  readonly delegatecall: boolean;
}

export async function createMachine(evmChainId: bigint, options: MachineOptions = {}): Promise<Machine> {
  const { onCall, evmLoop = 'quick' } = options;
  const rules = chainRules(evmChainId);
  const meter = createWorkMeter();
  const stateManager = createStateManager();
  let session: MachineSession | undefined;
  let frames: Started[] = [];

  const evm = await createEVM({
    common: rules,
    customOpcodes: meteredOpcodes(rules, meter),
    stateManager,
    blockchain: {
      getBlock: async (height: number) => ({
        hash: () => (session === undefined ? new Uint8Array(32) : blockHashOf(session.state, BigInt(height))),
      }),
      putBlock: async () => undefined,
      shallowCopy: () => {
        throw new Error('the devnet has one machine a chain');
      },
    },
  });
  if (evmLoop === 'quick') await quicken(evm);
  evm.events.on('beforeMessage', (message) => {
    onCall?.();
    frames.push(message);
  });
  evm.events.on('afterMessage', () => {
    frames.pop();
  });
  const builtIn = evm.getPrecompile.bind(evm);
  evm.getPrecompile = (address) => {
    const known = builtIn(address);
    const hex = typeof address === 'string' ? address.slice(2).toLowerCase() : bytesToHex(address.bytes);
    if (known !== undefined) return metered(Number.parseInt(hex, 16), known, meter);
    if (session === undefined) return undefined;
    return session.precompile(hex, () => frameOf(frames.at(-1)));
  };
  const warmAlways = [...evm.precompiles.keys()].map((hex) => `0x${hex}` as const);

  function warm({ from, to, accessList }: Call, coinbase: Uint8Array): void {
    const { journal } = evm;
    journal.cleanJournal();
    for (const address of warmAlways) journal.addAlwaysWarmAddress(address);
    for (const address of [from, coinbase, ...(to === undefined ? [] : [to])])
      journal.addAlwaysWarmAddress(`0x${bytesToHex(address)}`);
    for (const { address, slots } of accessList) {
      const hex = `0x${bytesToHex(address)}` as const;
      journal.addAlwaysWarmAddress(hex);
      for (const slot of slots) journal.addAlwaysWarmSlot(hex, `0x${bytesToHex(slot)}`);
    }
  }

  async function removeDestroyed({ selfdestruct, createdAddresses }: EVMResult['execResult']) {
    for (const hex of selfdestruct?.keys() ?? []) {
      // EIP-6780: only what the same tx has created
      if (createdAddresses?.has(hex) === true)
        await stateManager.deleteAccount(new Address(Buffer.from(hex.slice(2), 'hex')));
    }
  }

  return {
    async execute(next, block, call) {
      if (session !== undefined) throw new Error('the machine executes already');
      session = next;
      frames = [];
      meter.reset();
      try {
        stateManager.begin(next);
        warm(call, block.coinbase);
        const { execResult } = await evm.runCall({
          block: { header: headerOf(block) },
          caller: new Address(call.from),
          origin: new Address(call.from),
          ...(call.to === undefined ? {} : { to: new Address(call.to) }),
          data: call.data,
          value: call.value,
          gasLimit: call.gasLimit - call.intrinsicGas,
          gasPrice: call.gasPrice,
          skipNonceIncrement: true,
        });
        await removeDestroyed(execResult);
        const maxGasUsed = call.intrinsicGas + execResult.executionGasUsed;
        return {
          gasUsed: maxGasUsed - refundOf(execResult, maxGasUsed),
          maxGasUsed,
          vmError: vmError(execResult),
          ret: execResult.returnValue,
          logs: execResult.logs ?? [],
          balanceChanges: stateManager.takeBalanceChanges(),
        };
      } finally {
        evm.transientStorage.clear();
        session = undefined;
      }
    },
  };
}

function frameOf(message: Started | undefined): Frame {
  if (message?.to === undefined) throw new Error('a precompile was called by nobody');
  return {
    caller: message.caller.bytes,
    address: message.to.bytes,
    isPlain:
      !message.delegatecall &&
      message.value === 0n &&
      equalBytes(message.codeAddress.bytes, message.to.bytes),
    isStatic: message.isStatic,
  };
}

function headerOf({ height, timestamp, coinbase, baseFee }: BlockMoment) {
  return {
    number: height,
    timestamp,
    coinbase: new Address(coinbase),
    baseFeePerGas: baseFee,
    gasLimit: BLOCK_GAS_LIMIT,
    difficulty: 0n,
    prevRandao: new Uint8Array(32),
    getBlobGasPrice: () => 1n,
  };
}

/** At most a fifth (EIP-3529), and nothing when it failed. */
function refundOf({ exceptionError, gasRefund = 0n }: EVMResult['execResult'], gasUsed: bigint): bigint {
  if (exceptionError !== undefined) return 0n;
  const most = gasUsed / 5n;
  return gasRefund > most ? most : gasRefund;
}
