import { encodeBech32 } from 'strata-kit/address';
import { ChainError } from 'strata-kit/chain-error';
import type { JsonObject } from 'strata-kit/proto-json';
import { parseTimeNs } from 'strata-kit/time';
import type { GasMeter, MessageContext } from '../../src/app/module.ts';
import type { ChainParameters } from '../../src/app/parameters.ts';
import { type CommittableState, createState } from '../../src/state/state.ts';

/** A module's code without an app: a context over a state of its own, which records what is emitted. */

export const PARAMETERS: ChainParameters = {
  chainId: 'aeva-test-1',
  evmChainId: 9_000n,
  namespace: 'aeva',
  hrp: 'aeva',
  gasDenom: 'aaeva',
  gasDecimals: 18,
  evmDenom: 'aaeva',
  stableDenom: 'uusd',
  minGasPrice: 0n,
  bridgeAuthority: address(0xb0),
  relayer: address(0xb1),
};

/** A typed event as it was emitted: `rights.EventIssued`, only the fields that the module gave. */
export interface EmittedEvent {
  readonly type: string;
  readonly fields: JsonObject;
}

export interface PlainEvent {
  readonly type: string;
  readonly attributes: readonly (readonly [key: string, value: string])[];
}

export interface TestContext extends MessageContext {
  readonly state: CommittableState;
  height: number;
  timeNs: bigint;
  /** Typed events since the last `take`. */
  readonly emitted: EmittedEvent[];
  readonly plain: PlainEvent[];
  /** The typed events since the last call, and forgets them. */
  take(): EmittedEvent[];
  /** As a tx: undone, events included, when `run` throws. */
  tx<T>(run: () => T): T;
  /** The refusal that `run` throws, as `codespace/code: message`, after undoing it; throws when there is none. */
  refusal(run: () => unknown): string;
}

/** Height 1 at 2026-01-01T00:00:00Z unless told otherwise. */
export function createContext(parameters: Partial<ChainParameters> = {}): TestContext {
  const state = createState();
  const emitted: EmittedEvent[] = [];
  const plain: PlainEvent[] = [];

  function tx<T>(run: () => T): T {
    const [mark, typedBefore, plainBefore] = [state.mark(), emitted.length, plain.length];
    try {
      return run();
    } catch (error) {
      state.revert(mark);
      emitted.length = typedBefore;
      plain.length = plainBefore;
      throw error;
    }
  }

  return {
    state,
    parameters: { ...PARAMETERS, ...parameters },
    height: 1,
    timeNs: time('2026-01-01T00:00:00Z'),
    blockHash: new Uint8Array(32).fill(0xbb),
    gas: unlimitedGas(),
    messageIndex: 0,
    messageCount: 1,
    txBytes: new Uint8Array(),
    txIndex: 0,
    proposer: new Uint8Array(20).fill(0xee),
    emitted,
    plain,
    emit: (type, fields) => emitted.push({ type, fields }),
    emitPlain: (type, attributes) => plain.push({ type, attributes }),
    take: () => {
      plain.length = 0;
      return emitted.splice(0);
    },
    tx,
    refusal(run) {
      try {
        tx(run);
      } catch (error) {
        if (!(error instanceof ChainError)) throw error;
        return `${error.codespace}/${error.code}: ${error.message}`;
      }
      throw new Error('nothing was refused');
    },
  };
}

export function unlimitedGas(): GasMeter {
  let used = 0n;
  return {
    limit: (1n << 63n) - 1n,
    get used() {
      return used;
    },
    consume: (amount) => {
      used += BigInt(amount);
    },
  };
}

/** The account of 20 times the byte (or of as many as `length` says), as bech32 with the prefix `aeva`. */
export function address(byte: number, length = 20): string {
  return encodeBech32('aeva', new Uint8Array(length).fill(byte));
}

/** Nanoseconds since 1970 of an RFC 3339 text. */
export function time(text: string): bigint {
  const timeNs = parseTimeNs(text);
  if (timeNs === undefined) throw new Error(`no time: ${text}`);
  return timeNs;
}
