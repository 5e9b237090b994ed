import { z } from 'zod';
import { decodeBech32, parseHexAddress, toChecksumAddress } from './address.ts';
import type { JsonMap } from './json.ts';

/**
 * The chain's parameters (spec/chain.md section 2). What the chain can report (hrp, denoms, module accounts) is
 * undefined or empty here unless configured; a configured value wins over the chain's answer.
 */
export interface ChainParameters {
  /** First segment of the asset modules' type URLs, event types and derivation strings. */
  readonly namespace: string;
  /** Bech32 prefix. */
  readonly hrp: string | undefined;
  /** Denom of the gas token, as the bank holds it. */
  readonly gasDenom: string | undefined;
  /** Denom of the EVM's amounts, which have 18 decimals; the gas token's unless that has another number of them. */
  readonly evmDenom?: string | undefined;
  readonly stableDenom: string | undefined;
  /** EIP-55 addresses. */
  readonly evm: {
    readonly factory: string | undefined;
    /** Of the pages' swaps; nothing is derived from it. */
    readonly router?: string | undefined;
    readonly stable: string | undefined;
    readonly wrappedNative: string | undefined;
    readonly lendingMarket: string | undefined;
  };
  /** Bech32 or 0x addresses as configured, the faucet's included. */
  readonly serviceAccounts: readonly string[];
  readonly faucet: string | undefined;
  /** Bech32 or 0x addresses of module accounts besides those that the chain lists. */
  readonly moduleAccounts: readonly string[];
  /** Messages read as Ethereum ones: the two that are known and the configured. */
  readonly ethereumTypeUrls: readonly string[];
  /** By module, the parameters that it alone has; the module's own schema reads them. */
  readonly modules?: Readonly<Record<string, JsonMap>>;
}

export const ETHEREUM_TYPE_URLS: readonly string[] = [
  '/cosmos.evm.vm.v1.MsgEthereumTx',
  '/ethermint.evm.v1.MsgEthereumTx',
];

/** The reference chain's, where nothing is configured. No chain reports either. */
export const REFERENCE_NAMESPACE = 'aeva';
export const REFERENCE_STABLE_DENOM = 'uusd';

function text(pattern: RegExp, allowed: string) {
  return z.string(allowed).regex(pattern, allowed);
}

const denom = text(/^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/, 'a denom, such as uusd');
const word = text(/^[a-z][a-z0-9_]{0,63}$/, 'a word of lower-case letters and digits');
const hrp = text(/^[a-z][a-z0-9]{0,82}$/, 'a bech32 prefix in lower case');
const typeUrl = text(
  /^\/[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)+$/,
  'a type URL: / and a proto full name',
);

const evmAllowed = '0x and 40 hex digits (with a right EIP-55 checksum where the case is mixed)';
const evmAddress = z
  .string(evmAllowed)
  .refine((address) => parseHexAddress(address) !== undefined, evmAllowed)
  .transform((address) => toChecksumAddress(parseHexAddress(address) ?? new Uint8Array(20)));

const accountAllowed = 'a bech32 address or 0x and 40 hex digits';
const account = z
  .string(accountAllowed)
  .refine(
    (address) => decodeBech32(address) !== undefined || parseHexAddress(address) !== undefined,
    accountAllowed,
  );

const schema = z.strictObject(
  {
    namespace: word.default(REFERENCE_NAMESPACE),
    hrp: hrp.optional(),
    gas_denom: denom.optional(),
    evm_denom: denom.optional(),
    stable_denom: denom.optional(),
    evm: z
      .strictObject(
        {
          factory: evmAddress.optional(),
          router: evmAddress.optional(),
          stable: evmAddress.optional(),
          wrapped_native: evmAddress.optional(),
          lending_market: evmAddress.optional(),
        },
        'keys and values',
      )
      .default({}),
    service_accounts: z.array(account, 'a list of addresses').default([]),
    faucet: account.optional(),
    module_accounts: z.array(account, 'a list of addresses').default([]),
    ethereum_type_urls: z.array(typeUrl, 'a list of type URLs').default([]),
    modules: z
      .record(word, z.record(z.string(), z.unknown(), 'keys and values'), 'names of modules')
      .optional(),
  },
  'keys and values',
);

export type ParametersResult =
  | { readonly parameters: ChainParameters }
  /** `path` as chain.evm.factory; `problem` completes the sentence that starts with it. */
  | { readonly path: string; readonly problem: string };

/** Reads the `chain:` section of the configuration file, whose scalars are strings; absent keys take their defaults. */
export function parseParameters(section: unknown): ParametersResult {
  const parsed = schema.safeParse(section);
  if (!parsed.success) return describeIssue(parsed.error.issues[0]);
  const { evm, ...rest } = parsed.data;
  const faucet = rest.faucet === undefined ? [] : [rest.faucet];
  return {
    parameters: {
      namespace: rest.namespace,
      hrp: rest.hrp,
      gasDenom: rest.gas_denom,
      ...(rest.evm_denom === undefined ? {} : { evmDenom: rest.evm_denom }),
      stableDenom: rest.stable_denom,
      evm: {
        factory: evm.factory,
        ...(evm.router === undefined ? {} : { router: evm.router }),
        stable: evm.stable,
        wrappedNative: evm.wrapped_native,
        lendingMarket: evm.lending_market,
      },
      serviceAccounts: [...new Set([...rest.service_accounts, ...faucet])],
      faucet: rest.faucet,
      moduleAccounts: rest.module_accounts,
      ethereumTypeUrls: [...new Set([...ETHEREUM_TYPE_URLS, ...rest.ethereum_type_urls])],
      ...(rest.modules === undefined ? {} : { modules: rest.modules }),
    },
  };
}

/** `section`: where the value is in the configuration. */
export function describeIssue(
  issue: z.core.$ZodIssue | undefined,
  section: readonly string[] = ['chain'],
): { path: string; problem: string } {
  const path = [...section, ...(issue?.path ?? [])].join('.');
  if (issue?.code === 'unrecognized_keys') {
    return { path: `${path}.${issue.keys[0] ?? ''}`, problem: 'is no known key' };
  }
  return { path, problem: `must be ${issue?.message ?? 'valid'}` };
}
