import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { AbciEvent } from 'strata-kit/abci-event';
import { sdkError } from 'strata-kit/chain-error';
import type { Codec } from 'strata-kit/codec/codec';
import type { TxResult } from '../comet/types.ts';
import type { State } from '../state/state.ts';
import { runAnte } from './ante.ts';
import { createEventLog, messageEvents } from './events.ts';
import { failureOf, messageFailure, type TxFailure } from './failure.ts';
import { createGasMeter } from './gas.ts';
import { meterState } from './metered.ts';
import type { AnteContext, AnteOutcome, KnownAs, MessageContext, TxMode } from './module.ts';
import type { ChainParameters } from './parameters.ts';
import type { Router } from './router.ts';
import type { Tx, TxMessage } from './tx.ts';

/** Where txs are executed: the block in the making, or the one that would come next. */
export interface Moment {
  readonly height: number;
  readonly timeNs: bigint;
  readonly blockHash: Uint8Array;
  /** 20 bytes. */
  readonly proposer: Uint8Array;
}

export interface Executor {
  /** Messages run unless the tx is looked at for the mempool only. What fails leaves no writes but those of its ante. */
  execute(tx: Tx, mode: TxMode, state: State, moment: Moment, txIndex: number): Promise<Execution>;
}

export interface Execution extends TxResult {
  /** Of a check alone, as its AnteOutcome has them. */
  readonly freeWorkNs?: number;
  readonly known?: KnownAs | undefined;
  /** Any's with the messages' responses, in order. */
  readonly responses: readonly { readonly typeUrl: string; readonly value: Uint8Array }[];
}

export interface ExecutorParts {
  readonly codec: Codec;
  readonly parameters: ChainParameters;
  readonly router: Router;
  /** False: signatures are taken as they are. */
  readonly verifies: boolean;
  /** Most gas of a block, and so of a tx; of a simulation, where the executor has no other txs. */
  readonly maxGas: bigint;
  readonly onUnforeseen: (error: unknown) => void;
}

const NO_BYTES = new Uint8Array(0);

export function createExecutor(parts: ExecutorParts): Executor {
  const { codec, parameters, router, verifies, maxGas, onUnforeseen } = parts;

  function checkBasics(tx: Tx, mode: TxMode): void {
    if (tx.messages.length === 0)
      throw sdkError('invalidRequest', 'must contain at least one message: invalid request');
    for (const { typeUrl } of tx.messages) {
      if (!router.messages.has(typeUrl))
        throw sdkError('unknownRequest', `no message handler found for ${typeUrl}: unknown request`);
      const option = router.bound.get(typeUrl);
      if (option !== undefined && !tx.extensions.includes(option)) {
        throw sdkError(
          'invalidType',
          `${typeUrl} needs to be contained within a tx with '${option}' option: invalid type`,
        );
      }
    }
    // what an ordinary tx of a simulation asks for does not matter: its gas is counted anew
    if (tx.fee.gasLimit > maxGas && (mode !== 'simulate' || tx.extensions.length > 0)) {
      throw sdkError(
        'invalidGasLimit',
        `tx gas limit ${tx.fee.gasLimit} exceeds ${mode === 'simulate' ? 'the most gas of a simulation' : 'block max gas'} ${maxGas}: invalid gas limit`,
      );
    }
  }

  async function runMessage(
    message: TxMessage,
    context: MessageContext,
  ): Promise<{ readonly typeUrl: string; readonly value: Uint8Array }> {
    const handler = router.messages.get(message.typeUrl);
    if (handler === undefined) throw new Error(`no handler for ${message.typeUrl}`);
    const answer = handler(context, message.value);
    const fields = answer instanceof Promise ? await answer : answer;
    const typeUrl = codec.responseType(message.typeUrl) ?? `${message.typeUrl}Response`;
    return { typeUrl, value: codec.encode(typeUrl, fields) };
  }

  return {
    async execute(tx, mode, state, moment, txIndex) {
      const extension = router.antes.get(tx.extensions[0] ?? '');
      const gas = createGasMeter(mode === 'simulate' ? maxGas : tx.fee.gasLimit);
      const metered = meterState(state, gas);
      const anteLog = createEventLog(codec, parameters.namespace);
      const common = { ...moment, parameters, gas };
      const start = state.mark();
      const ended = (failure: TxFailure | undefined, gasWanted: bigint, events: readonly AbciEvent[]) => ({
        code: failure?.code ?? 0,
        codespace: failure?.codespace ?? '',
        log: failure?.log ?? '',
        data: NO_BYTES,
        gasWanted,
        gasUsed: gas.used,
        events,
        responses: [],
      });

      let outcome: AnteOutcome;
      try {
        checkBasics(tx, mode);
        const context: AnteContext = {
          ...common,
          state: extension === undefined ? metered : state,
          mode,
          verifies: verifies && (mode === 'check' || mode === 'deliver'),
          emit: anteLog.emit,
          emitPlain: anteLog.emitPlain,
        };
        const ran = extension === undefined ? runAnte(context, tx) : extension.run(context, tx);
        outcome = ran instanceof Promise ? await ran : ran;
      } catch (error) {
        state.revert(start);
        // ethermint's ante has set no gas when it fails
        return ended(failureOf(error, onUnforeseen), extension === undefined ? tx.fee.gasLimit : -1n, []);
      }
      if (mode === 'check' || mode === 'recheck') {
        const { gasWanted, freeWorkNs = 0, known } = outcome;
        return { ...ended(undefined, gasWanted, anteLog.events), freeWorkNs, known };
      }

      const beforeMessages = state.mark();
      const events = [...anteLog.events];
      const responses: { readonly typeUrl: string; readonly value: Uint8Array }[] = [];
      for (const [messageIndex, message] of tx.messages.entries()) {
        const log = createEventLog(codec, parameters.namespace);
        const context: MessageContext = {
          ...common,
          state: outcome.chargesState ? metered : state,
          messageIndex,
          messageCount: tx.messages.length,
          txIndex,
          txBytes: tx.bytes,
          emit: log.emit,
          emitPlain: log.emitPlain,
        };
        try {
          responses.push(await runMessage(message, context));
        } catch (error) {
          state.revert(beforeMessages);
          const failure = messageFailure(failureOf(error, onUnforeseen), messageIndex);
          return ended(failure, outcome.gasWanted, anteLog.events);
        }
        const sender = message.signers[0] ?? outcome.senders?.[messageIndex];
        for (const event of messageEvents(message.typeUrl, sender, log.events, messageIndex))
          events.push(event);
      }
      return { ...ended(undefined, outcome.gasWanted, events), data: messageData(responses), responses };
    },
  };
}

/** TxMsgData with msg_responses. */
function messageData(responses: Execution['responses']): Uint8Array {
  const writer = new BinaryWriter();
  for (const { typeUrl, value } of responses) {
    writer.tag(2, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.LengthDelimited).string(typeUrl);
    if (value.length > 0) writer.tag(2, WireType.LengthDelimited).bytes(value);
    writer.join();
  }
  return writer.finish();
}
