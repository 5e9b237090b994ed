import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { ChainError, SDK, sdkError } from 'strata-kit/chain-error';
import type { Caller } from 'strata-kit/http/caller';
import type { QueryAnswer } from '../comet/types.ts';
import { READS_AT_ONCE } from '../simulation/limits.ts';
import type { Simulations } from '../simulation/simulations.ts';
import { boundReads, ReadsUsedUp } from '../state/read-budget.ts';
import { readerOf, type Texts } from '../state/texts.ts';
import type { App } from './app.ts';
import { gasPriceText } from './gas-price.ts';
import type { QueryMoment } from './module.ts';
import { requireTxSize } from './tx.ts';

/** What a query looks at: the state at a height, and that height's moment. */
export interface QueryView {
  readonly texts: Texts;
  readonly at: QueryMoment;
}

/** Answers abci_query at a height that the chain keeps; refusals are answers. */
export type Querying = (
  path: string,
  data: Uint8Array,
  view: QueryView,
  caller: Caller,
) => Promise<QueryAnswer>;

/** Requests have less than a kilobyte. A megabyte of fields that nobody knows took 0.1 s to decode. */
const MAX_REQUEST_BYTES = 65_536;

/**
 * A query that reads little is answered at once, another one by `walks`, beside the thread that makes blocks. Errors of the
 * answer: SimulationStop, where a simulation or a walk has no result.
 */
export function createQuerying(
  app: App,
  simulations: Simulations,
  walks: Simulations,
  about: { readonly version: string },
): Querying {
  const { codec, router, parameters } = app;

  function simulate(bytes: Uint8Array, form: 'binary' | 'json', caller: Caller): Promise<Uint8Array> {
    requireTxSize(bytes, app.maxTxBytes);
    const head = app.head();
    const moment = { ...head, height: head.height + 1 };
    return simulations.simulateTx({ kind: 'tx', bytes, form, moment }, head.height, caller);
  }

  async function answer(
    path: string,
    data: Uint8Array,
    { texts, at }: QueryView,
    caller: Caller,
  ): Promise<Uint8Array> {
    switch (path) {
      case '/app/simulate':
        return simulate(data, 'json', caller);
      case '/app/version':
        return Buffer.from(about.version);
      case '/cosmos.tx.v1beta1.Service/Simulate':
        return simulate(txBytesOf(data), 'binary', caller);
      case '/cosmos.reflection.v1.ReflectionService/FileDescriptors':
        return descriptorsResponse(codec.fileDescriptors());
      case '/cosmos.base.node.v1beta1.Service/Config':
        return codec.encode('/cosmos.base.node.v1beta1.ConfigResponse', {
          minimum_gas_price: `${gasPriceText(parameters)}${parameters.gasDenom}`,
          pruning_keep_recent: '0',
          pruning_interval: '0',
        });
      case '/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo':
        return codec.encode('/cosmos.base.tendermint.v1beta1.GetNodeInfoResponse', {
          default_node_info: { network: parameters.chainId },
          application_version: { name: 'strata-devnet', app_name: 'strata', version: about.version },
        });
    }
    const handler = router.queries.get(path);
    const method = codec.method(path);
    if (handler === undefined || method === undefined)
      throw sdkError('unknownRequest', 'unknown query path: unknown request');
    if (data.length > MAX_REQUEST_BYTES)
      throw sdkError('invalidRequest', `a query has ${MAX_REQUEST_BYTES} bytes at most: invalid request`);
    const request = codec.decode(method.request, data, 'ignore');
    try {
      const fields = await handler(readerOf(boundReads(texts, READS_AT_ONCE)), request, at);
      return codec.encode(method.response, fields);
    } catch (error) {
      if (!(error instanceof ReadsUsedUp)) throw error;
      return walks.query({ kind: 'query', path, data, timeNs: at.timeNs }, at.height, caller);
    }
  }

  return async (path, data, view, caller) => {
    const { height } = view.at;
    try {
      return { code: 0, codespace: '', log: '', value: await answer(path, data, view, caller), height };
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      return { ...refusal(error), value: new Uint8Array(0), height };
    }
  };
}

/** As baseapp turns a gRPC error into an SDK one; clients look for `code = NotFound`. */
function refusal({ codespace, code, message }: ChainError) {
  if (codespace === 'sdk' && code === SDK.notFound) {
    const log = `rpc error: code = NotFound desc = ${message}: key not found`;
    return { codespace, code: SDK.keyNotFound, log };
  }
  if (codespace === 'sdk' && code === SDK.unknownRequest) return { codespace, code, log: message };
  return {
    codespace: 'sdk',
    code: SDK.invalidRequest,
    log: `rpc error: code = Unknown desc = ${message}: invalid request`,
  };
}

/** SimulateRequest: tx_bytes (2), or the older tx (1), which has the same bytes as a TxRaw. */
function txBytesOf(request: Uint8Array): Uint8Array {
  let bytes: Uint8Array = new Uint8Array(0);
  try {
    const reader = new BinaryReader(request);
    while (reader.pos < reader.len) {
      const [field, type] = reader.tag();
      if (type === WireType.LengthDelimited && (field === 1 || field === 2)) bytes = reader.bytes();
      else reader.skip(type, field);
    }
  } catch {
    throw sdkError('txDecode', 'no SimulateRequest: tx parse error');
  }
  if (bytes.length === 0) throw sdkError('invalidRequest', 'empty txBytes is not allowed: invalid request');
  return bytes;
}

function descriptorsResponse(files: readonly Uint8Array[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const file of files) writer.tag(1, WireType.LengthDelimited).bytes(file);
  return writer.finish();
}
