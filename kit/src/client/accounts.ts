import { ChainError, sdkError } from '../chain-error.ts';
import type { Codec } from '../codec/codec.ts';
import type { JsonObject } from '../proto-json.ts';
import { ClientError } from './errors.ts';
import type { Node } from './node.ts';

/** What the chain answers of a query (`/<ns>.asset.v1.Query/Asset`). Errors: the ChainError that it refuses with. */
export async function queryChain(
  codec: Codec,
  node: Node,
  path: string,
  request: JsonObject,
): Promise<JsonObject> {
  const types = codec.method(path);
  if (types === undefined) throw sdkError('unknownRequest', `unknown query path ${path}`);
  const { code, codespace, log, value } = await node.query(path, codec.encode(types.request, request));
  if (code !== 0) throw new ChainError(codespace, code, log);
  return codec.decode(types.response, value, 'ignore');
}

export interface AccountState {
  readonly number: bigint;
  readonly sequence: bigint;
  /** The block as of which the chain says so. */
  readonly height: number;
}

/** Undefined: the chain has not seen the account, which it makes when it is first paid. */
export async function accountState(
  codec: Codec,
  node: Node,
  address: string,
): Promise<AccountState | undefined> {
  const path = '/cosmos.auth.v1beta1.Query/Account';
  const { request, response } = codec.method(path) ?? { request: '', response: '' };
  const answer = await node.query(path, codec.encode(request, { address }));
  // gRPC's NOT_FOUND comes as sdk/22 (keyNotFound) from nodes, or as sdk/38
  if (answer.code !== 0 && /not found/i.test(answer.log)) return undefined;
  if (answer.code !== 0)
    throw new ClientError('node', `the account ${address} cannot be read: ${answer.log}`);
  const { account } = codec.decode(response, answer.value, 'ignore') as { account?: JsonObject };
  const base = (account?.base_account ?? account) as JsonObject | undefined;
  return {
    number: BigInt(String(base?.account_number ?? 0)),
    sequence: BigInt(String(base?.sequence ?? 0)),
    height: answer.height,
  };
}

/** The gas that a tx takes now. Errors: the ChainError with which it would fail. */
export async function simulatedGas(codec: Codec, node: Node, tx: Uint8Array): Promise<bigint> {
  const answer = await queryChain(codec, node, '/cosmos.tx.v1beta1.Service/Simulate', {
    tx_bytes: Buffer.from(tx).toString('base64'),
  });
  return BigInt(String((answer.gas_info as JsonObject | null)?.gas_used ?? 0));
}
