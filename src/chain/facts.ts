import { bytesToUtf8 } from '../core/bytes.ts';
import { DESCRIPTORS_PATH } from './capture/format.ts';
import type { ChainLog } from './log.ts';
import { protoBytes, readProtoFields } from './proto-fields.ts';
import type { BlockSource } from './source.ts';

/** What a chain tells of itself (chain.md section 2). Whatever it does not answer is undefined or empty. */
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
  readonly evmDenom: string | undefined;
  readonly evmChainId: number | undefined;
  /** FileDescriptorSet bytes. */
  readonly descriptorSet: Uint8Array | undefined;
  /** As the node prints them, e.g. `0.1atest`. */
  readonly nodeMinGasPrices: string | undefined;
}

type Reader<T> = (value: Uint8Array) => T | undefined;

/**
 * Asks the chain for its own facts. A query that the chain does not serve leaves its field empty and is logged.
 * Errors: those of the source, when no node can be asked at all.
 */
export async function askChainFacts(
  source: BlockSource,
  log: ChainLog,
  signal?: AbortSignal,
): Promise<ChainFacts> {
  const ask = async <T>(path: string, read: Reader<T>): Promise<T | undefined> => {
    const { code, log: reason, value } = await source.abciQuery(path, new Uint8Array(), 0, signal);
    if (code !== 0) {
      log.info({ path, code, reason }, 'the chain does not answer a query about itself');
      return undefined;
    }
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      log.warn({ path, reason: error.message }, 'the chain answers a query about itself with broken bytes');
      return undefined;
    }
  };
  const head = await source.head(signal);
  const hrp = await ask('/cosmos.auth.v1beta1.Query/Bech32Prefix', (value) => textField(value, 1));
  const moduleAccounts = await ask('/cosmos.auth.v1beta1.Query/ModuleAccounts', readModuleAccounts);
  const config = await ask('/cosmos.evm.vm.v1.Query/Config', readEvmConfig);
  const evmDenom =
    (await ask('/cosmos.evm.vm.v1.Query/Params', readEvmDenom)) ??
    config?.denom ??
    (await ask('/ethermint.evm.v1.Query/Params', readEvmDenom));
  const nodeMinGasPrices = await ask('/cosmos.base.node.v1beta1.Service/Config', (value) =>
    textField(value, 1),
  );
  // the answer's only field has the number and type of FileDescriptorSet.file
  const descriptorSet = await ask(DESCRIPTORS_PATH, (value) => (value.length === 0 ? undefined : value));
  return {
    chainId: head.chainId,
    appVersion: head.appVersion,
    softwareVersion: head.softwareVersion ?? '',
    hrp,
    moduleAccounts: moduleAccounts ?? [],
    evmDenom,
    evmChainId: config?.chainId ?? evmChainIdOf(head.chainId),
    descriptorSet,
    nodeMinGasPrices,
  };
}

/** Undefined when absent or empty. */
function textField(message: Uint8Array, field: number): string | undefined {
  const bytes = protoBytes(message, field);
  return bytes === undefined || bytes.length === 0 ? undefined : bytesToUtf8(bytes);
}

/** Any accounts = 1 {value = 2: ModuleAccount {base_account = 1 {address = 1}}}. */
function readModuleAccounts(value: Uint8Array): readonly string[] {
  const addresses: string[] = [];
  for (const { field, bytes } of readProtoFields(value)) {
    if (field !== 1) continue;
    const base = protoBytes(protoBytes(bytes, 2) ?? new Uint8Array(), 1);
    const address = base === undefined ? undefined : textField(base, 1);
    if (address !== undefined) addresses.push(address);
  }
  return addresses;
}

/** Params params = 1 {evm_denom = 1}, in cosmos/evm and in ethermint. */
function readEvmDenom(value: Uint8Array): string | undefined {
  const params = protoBytes(value, 1);
  return params === undefined ? undefined : textField(params, 1);
}

/** ChainConfig config = 1 {chain_id = 24, denom = 25}. */
function readEvmConfig(
  value: Uint8Array,
): { chainId: number | undefined; denom: string | undefined } | undefined {
  const config = protoBytes(value, 1);
  if (config === undefined) return undefined;
  const chainId = readProtoFields(config).findLast(({ field }) => field === 24)?.integer;
  return { chainId: chainId === undefined ? undefined : Number(chainId), denom: textField(config, 25) };
}

/** Chains without the query carry the number in their id, as `evmos_9001-2`. */
function evmChainIdOf(chainId: string): number | undefined {
  const match = /_(\d{1,15})-\d+$/.exec(chainId);
  return match === null ? undefined : Number(match[1]);
}
