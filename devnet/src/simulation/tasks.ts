import type { MessagePort } from 'node:worker_threads';
import type { Moment } from '../app/execute.ts';
import type { CallMoment, CallRequest } from './ethereum-calls.ts';
import type { StopReason } from './stop.ts';

/** What crosses to a simulation's thread and back. */

/** A tx as if it were in the next block. The result is the encoded answer of the query. */
export interface TxSimulation {
  readonly kind: 'tx';
  readonly bytes: Uint8Array;
  readonly moment: Moment;
  /** Of the answer: SimulateResponse, or its JSON text. */
  readonly form: 'binary' | 'json';
}

/** eth_call or eth_estimateGas. The result is what the call returns, or the gas. */
export interface EthereumSimulation {
  readonly kind: 'call' | 'estimate';
  readonly request: CallRequest;
  readonly moment: CallMoment;
}

/** A query that reads more of the state than the thread of the blocks reads for one. The result is the encoded response. */
export interface QueryWalk {
  readonly kind: 'query';
  readonly path: string;
  readonly data: Uint8Array;
  /** Of the block at which it looks. */
  readonly timeNs: bigint;
}

export type Simulation = TxSimulation | EthereumSimulation | QueryWalk;

export interface SimulationInput {
  readonly simulation: Simulation;
  /** Of the state. */
  readonly height: number;
  readonly port: MessagePort;
  readonly shared: SharedArrayBuffer;
}

/** Errors cross as records: a thread boundary drops classes. */
export type SimulationReply =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'gas'; readonly gas: bigint }
  | {
      readonly kind: 'chain-error';
      readonly codespace: string;
      readonly code: number;
      readonly message: string;
    }
  | {
      readonly kind: 'ethereum-error';
      readonly code: number;
      readonly message: string;
      readonly data: string | undefined;
    }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'defect'; readonly error: Error };
