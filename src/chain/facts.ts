import { bytesToUtf8 } from 'strata-kit/bytes';
import { isStrataError, type StrataError } from 'strata-kit/errors';
import { WireError, WireReader } from '../core/wire.ts';
import { DESCRIPTORS_PATH } from './capture/format.ts';
import type { ChainLog } from './log.ts';
import type { AbciAnswer, BlockSource } from './source.ts';

/** What a chain reports of itself (chain.md section 2). Whatever it does not answer is undefined or empty. */
export interface ChainFacts {
  readonly chainId: string;
  /** As headers carry it (version.app). */
  readonly appVersion: string;
  /** The binary's, e.g. `v0.6.0`. */
  readonly softwareVersion: string;
  /** Bech32 prefix. */
  readonly hrp: string | undefined;
  /** Bech32. */
  readonly moduleAccounts: readonly string[];
  /**
   * The denom of the EVM's amounts, which have 18 decimals. It is the bank's own denom where that has 18 decimals, else
   * the one that the chain calls extended. Undefined without an EVM, and where the chain names no such denom.
   */
  readonly evmDenom: string | undefined;
  /** The gas token as the bank holds it; undefined where no EVM reports it. */
  readonly evmBankDenom: string | undefined;
  readonly evmChainId: number | undefined;
  /** FileDescriptorSet bytes. */
  readonly descriptorSet: Uint8Array | undefined;
  /** As the node prints them, e.g. `0.1atest`. */
  readonly nodeMinGasPrices: string | undefined;
}

type Reader<T> = (value: Uint8Array) => T | undefined;

/**
 * Asks the chain for its own facts. A query that the chain does not serve leaves its field empty; one line names all of them.
 * Where no node answers abci_query, all those fields are empty: the chain does not describe itself.
 * Errors: those of the source, when no node can be asked at all.
 */
export async function askChainFacts(
  source: BlockSource,
  log: ChainLog,
  signal?: AbortSignal,
): Promise<ChainFacts> {
  const unanswered: string[] = [];
  let lastReason = '';
  let isServed = true;
  const query = async (path: string): Promise<AbciAnswer | undefined> => {
    if (!isServed) return undefined;
    try {
      return await source.abciQuery(path, new Uint8Array(), 0, signal);
    } catch (error) {
      if (!isUnserved(error)) throw error;
      isServed = false;
      log.warn({ reason: error.message }, 'no node answers abci_query: the chain does not describe itself');
      return undefined;
    }
  };
  const ask = async <T>(path: string, read: Reader<T>): Promise<T | undefined> => {
    const answer = await query(path);
    if (answer === undefined) return undefined;
    const { code, log: reason, value } = answer;
    if (code !== 0) {
      unanswered.push(path);
      lastReason = reason;
      return undefined;
    }
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      log.warn({ path, reason: error.message }, 'the chain answers a query about itself with broken bytes');
      return undefined;
    }
  };
  const head = await source.head(signal);
  const hrp = await ask('/cosmos.auth.v1beta1.Query/Bech32Prefix', (value) => textField(value, 1));
  const moduleAccounts = await ask('/cosmos.auth.v1beta1.Query/ModuleAccounts', readModuleAccounts);
  const evm = await askEvm(ask);
  const nodeMinGasPrices = await ask('/cosmos.base.node.v1beta1.Service/Config', (value) =>
    textField(value, 1),
  );
  // the answer's only field has the number and type of FileDescriptorSet.file
  const descriptorSet = await ask(DESCRIPTORS_PATH, (value) => (value.length === 0 ? undefined : value));
  if (unanswered.length > 0) {
    log.info(
      { paths: unanswered, reason: lastReason },
      'the chain does not answer some queries about itself',
    );
  }
  return {
    chainId: head.chainId,
    appVersion: head.appVersion,
    softwareVersion: head.softwareVersion ?? '',
    hrp,
    moduleAccounts: moduleAccounts ?? [],
    evmDenom: extendedDenom(evm),
    evmBankDenom: evm.denom,
    evmChainId: evm.chainId ?? evmChainIdOf(head.chainId),
    descriptorSet,
    nodeMinGasPrices,
  };
}

/** What an EVM's queries say of its token. */
interface EvmAnswers {
  readonly chainId?: number | undefined;
  readonly denom: string | undefined;
  /** Of that denom. */
  readonly decimals?: number | undefined;
  readonly extendedDenom?: string | undefined;
}

type Ask = <T>(path: string, read: Reader<T>) => Promise<T | undefined>;

/** Asks cosmos/evm first, then ethermint (Evmos 20 has the denom in Config alone), then Injective. */
async function askEvm(ask: Ask): Promise<EvmAnswers> {
  const config = await ask('/cosmos.evm.vm.v1.Query/Config', readEvmConfig);
  const params = await ask('/cosmos.evm.vm.v1.Query/Params', readEvmParams);
  if (config !== undefined || params !== undefined) {
    return { ...config, denom: params?.denom ?? config?.denom, extendedDenom: params?.extendedDenom };
  }
  const olderConfig = await ask('/ethermint.evm.v1.Query/Config', readEvmConfig);
  const olderParams = await ask('/ethermint.evm.v1.Query/Params', readEvmParams);
  const denom = olderParams?.denom ?? olderConfig?.denom;
  if (denom !== undefined) return { ...olderConfig, denom };
  const injective = await ask('/injective.evm.v1.Query/Params', readEvmParams);
  return { ...olderConfig, denom: injective?.denom };
}

/**
 * As x/vm decides it (LoadEvmCoinInfo): with 18 decimals the extended denom does not count, whatever the parameters say.
 * Chains from before the field `decimals` have 18.
 */
function extendedDenom({ denom, decimals, extendedDenom: extended }: EvmAnswers): string | undefined {
  if (decimals === 18) return denom;
  if (decimals !== undefined) return extended;
  return extended === undefined || extended === denom ? denom : undefined;
}

/** The method is missing or refused (method not found, HTTP 403, 404), and would be at another time. */
function isUnserved(error: unknown): error is StrataError {
  if (!isStrataError(error)) return false;
  const reason = isStrataError(error.cause) ? error.cause : error;
  return reason.code === 'node_rpc_error' && !reason.retryable;
}

/** The length-delimited values of a field, in wire order. Errors: WireError. */
function allBytes(message: Uint8Array, field: number): readonly Uint8Array[] {
  const values: Uint8Array[] = [];
  const reader = new WireReader(message);
  while (reader.next()) {
    if (reader.field === field && reader.wireType === 2) values.push(reader.delimited());
    else reader.skip();
  }
  return values;
}

/** The last of them, as protobuf reads a repeated singular field. */
function lastBytes(message: Uint8Array, field: number): Uint8Array | undefined {
  return allBytes(message, field).at(-1);
}

/** The last varint of a field. */
function integerField(message: Uint8Array, field: number): number | undefined {
  let value: number | undefined;
  const reader = new WireReader(message);
  while (reader.next()) {
    if (reader.field === field && reader.wireType === 0) value = reader.varint();
    else reader.skip();
  }
  return value;
}

/** Undefined when absent or empty. */
function textField(message: Uint8Array, field: number): string | undefined {
  const bytes = lastBytes(message, field);
  return bytes === undefined || bytes.length === 0 ? undefined : bytesToUtf8(bytes);
}

/** Any accounts = 1 {value = 2: ModuleAccount {base_account = 1 {address = 1}}}. */
function readModuleAccounts(value: Uint8Array): readonly string[] {
  const addresses: string[] = [];
  for (const account of allBytes(value, 1)) {
    const base = lastBytes(lastBytes(account, 2) ?? new Uint8Array(), 1);
    const address = base === undefined ? undefined : textField(base, 1);
    if (address !== undefined) addresses.push(address);
  }
  return addresses;
}

/** Params params = 1 {evm_denom = 1, extended_denom_options = 11 {extended_denom = 1}}; only cosmos/evm has the latter. */
function readEvmParams(value: Uint8Array): Omit<EvmAnswers, 'chainId'> | undefined {
  const params = lastBytes(value, 1);
  if (params === undefined) return undefined;
  const options = lastBytes(params, 11);
  return {
    denom: textField(params, 1),
    extendedDenom: options === undefined ? undefined : textField(options, 1),
  };
}

/** ChainConfig config = 1 {chain_id = 24, denom = 25, decimals = 26}. */
function readEvmConfig(value: Uint8Array): EvmAnswers | undefined {
  const config = lastBytes(value, 1);
  if (config === undefined) return undefined;
  return {
    chainId: integerField(config, 24),
    denom: textField(config, 25),
    // proto3 leaves 0 out: what is not there is not known
    decimals: integerField(config, 26) || undefined,
  };
}

/** Chains without the query carry the number in their id, as `evmos_9001-2`. */
function evmChainIdOf(chainId: string): number | undefined {
  const match = /_(\d{1,15})-\d+$/.exec(chainId);
  return match === null ? undefined : Number(match[1]);
}
