import { canonicalAccount } from 'strata-kit/address';
import { ChainError } from 'strata-kit/chain-error';
import { queryChain } from 'strata-kit/client/accounts';
import { ClientError } from 'strata-kit/client/errors';
import { bech32Of } from 'strata-kit/client/keys';
import type { Node } from 'strata-kit/client/node';
import { type Codec, openCodec } from 'strata-kit/codec/codec';
import { StrataError } from 'strata-kit/errors';
import { type ChainParameters, REFERENCE_STABLE_DENOM } from 'strata-kit/parameters';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import { AppError } from './errors.ts';
import type { AppSettings } from './settings.ts';

/** The chain as the app's parts see it: what it is configured with, and its node. The node is believed, requests are not. */
export interface Chain {
  readonly facts: ChainFacts;
  readonly node: Node;
  readonly codec: Codec;
  /**
   * The answer of a query as of the newest block (`/<ns>.rights.v1.Query/Position`). Errors: ChainError as the chain
   * refuses, AppError unavailable when no answer comes.
   */
  query(path: string, request: JsonObject): Promise<JsonObject>;
}

/** What pages and parts need to know of a chain, and `GET /api/chain` tells. */
export interface ChainFacts {
  readonly chainId: string;
  /** EIP-155; undefined for a chain without an EVM. */
  readonly evmChainId: bigint | undefined;
  /** Prefix of bech32 addresses. */
  readonly hrp: string;
  /** First segment of type URLs. */
  readonly namespace: string;
  /** As the bank holds it. */
  readonly gasDenom: string;
  /** Of the gas denom; 18 where the chain does not say. */
  readonly gasDecimals?: number | undefined;
  /** In gasDenom, for one unit of gas. */
  readonly minGasPrice: bigint;
  /** 6 decimals. */
  readonly stableDenom: string;
  /** Ethereum's JSON-RPC for wallets; undefined where none is told. */
  readonly evmRpcUrl: string | undefined;
  /** EIP-55; undefined for a chain whose market nobody configured. */
  readonly contracts: ChainContracts | undefined;
  /** Accounts that pages show by a name: the faucet, the desk, services. */
  readonly names: readonly { readonly address: string; readonly name: string }[];
}

export interface ChainContracts {
  readonly factory: string;
  readonly router: string | undefined;
  readonly stable: string;
  readonly wrappedNative: string;
}

type Configured = Pick<AppSettings, 'chain' | 'evmRpcUrl' | 'faucetKey' | 'deskKey'>;

/**
 * The chain behind a node: what the `chain:` section leaves out is asked of it. `asked` is the same node for these
 * questions alone: what ends them ends nothing else. Errors: ClientError when it does not answer; config_invalid where
 * neither it nor the configuration names the prefix or the gas denom.
 */
export async function openChain(node: Node, settings: Configured, asked: Node = node): Promise<Chain> {
  const { chain, evmRpcUrl } = settings;
  const { namespace } = chain;
  const codec = openCodec({ namespace });
  const { chainId } = await asked.status();
  const prefix = await known(codec, asked, '/cosmos.auth.v1beta1.Query/Bech32Prefix');
  const config = await known(codec, asked, '/cosmos.base.node.v1beta1.Service/Config');
  const evm = await known(codec, asked, '/cosmos.evm.vm.v1.Query/Config');
  const hrp = chain.hrp ?? textOf(prefix?.bech32_prefix) ?? unknown('address prefix', 'hrp: <prefix>');
  const gas = gasPrice(textOf(config?.minimum_gas_price) ?? '', chain.gasDenom, bankDenomOf(evm));
  return {
    node,
    codec,
    facts: {
      chainId,
      evmChainId: evmChainIdOf(evm),
      hrp,
      namespace,
      gasDenom: gas.denom,
      gasDecimals: gas.denom === bankDenomOf(evm) ? decimalsOf(evm) : undefined,
      minGasPrice: gas.price,
      stableDenom: chain.stableDenom ?? REFERENCE_STABLE_DENOM,
      evmRpcUrl,
      contracts: contractsOf(chain.evm),
      names: namesOf(settings, hrp),
    },
    async query(path, request) {
      try {
        return await queryChain(codec, node, path, request);
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        throw new AppError('unavailable', 'the chain does not answer', { cause: error });
      }
    },
  };
}

/** Undefined: the chain has no such query, or refuses it. */
async function known(codec: Codec, node: Node, path: string): Promise<JsonObject | undefined> {
  try {
    return await queryChain(codec, node, path, {});
  } catch (error) {
    if (error instanceof ChainError) return undefined;
    throw error;
  }
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function unknown(what: string, line: string): never {
  throw new StrataError(
    'config_invalid',
    `the node does not report the chain's ${what}. Add the line "${line}" to the section "chain:" of the file that --config names`,
  );
}

/**
 * Of `<decimal><denom>,…`: the price in the gas denom, rounded up, or the first where none is configured. Without a
 * price the denom is the configured one, or that of the EVM's token in the bank. Errors: config_invalid without any.
 */
function gasPrice(
  text: string,
  gasDenom: string | undefined,
  bankDenom: string | undefined,
): { denom: string; price: bigint } {
  for (const part of text.split(',')) {
    const [, whole = '', fraction = '', denom = ''] = /^(\d+)(?:\.(\d{1,18}))?([a-zA-Z].*)$/.exec(part) ?? [];
    if (denom === '' || (gasDenom !== undefined && denom !== gasDenom)) continue;
    const scale = 10n ** BigInt(fraction.length);
    return { denom, price: (BigInt(whole + fraction) + scale - 1n) / scale };
  }
  return { denom: gasDenom ?? bankDenom ?? unknown('gas denom', 'gas_denom: <denom>'), price: 0n };
}

function evmChainIdOf(answer: JsonObject | undefined): bigint | undefined {
  const id = textOf(configOf(answer).chain_id) ?? '';
  return /^[1-9]\d{0,77}$/.test(id) ? BigInt(id) : undefined;
}

function bankDenomOf(answer: JsonObject | undefined): string | undefined {
  return textOf(configOf(answer).denom);
}

/** proto-JSON prints a uint64 as text, and 0 for what is not set. */
function decimalsOf(answer: JsonObject | undefined): number | undefined {
  const decimals = Number(textOf(configOf(answer).decimals) ?? 0);
  return decimals >= 1 && decimals <= 36 ? decimals : undefined;
}

function configOf(answer: JsonObject | undefined): JsonObject {
  const config = answer?.config;
  return typeof config === 'object' && config !== null ? (config as JsonObject) : {};
}

function contractsOf({ factory, router, stable, wrappedNative }: ChainParameters['evm']) {
  if (factory === undefined || stable === undefined || wrappedNative === undefined) return undefined;
  return { factory, router, stable, wrappedNative };
}

function namesOf({ chain, faucetKey, deskKey }: Configured, hrp: string): ChainFacts['names'] {
  const faucet =
    faucetKey === undefined ? canonicalAccount(chain.faucet ?? '', hrp) : bech32Of(hrp, faucetKey);
  const desk = deskKey === undefined ? undefined : bech32Of(hrp, deskKey);
  const services = chain.serviceAccounts.map((address) => canonicalAccount(address, hrp));
  const named = new Map<string, string>();
  for (const address of services) if (address !== undefined) named.set(address, 'Service');
  if (faucet !== undefined) named.set(faucet, 'Faucet');
  if (desk !== undefined) named.set(desk, 'Desk');
  return [...named].map(([address, name]) => ({ address, name }));
}
