import { sdkError } from 'strata-kit/chain-error';
import type { JsonObject } from 'strata-kit/proto-json';
import { moduleAccounts, moduleAddress, requireAddress } from '../../app/address.ts';
import { AUTH_PARAMETERS } from '../../app/ante.ts';
import type { Module, QueryMoment } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { ACCOUNTS, type Account, account, ensureAccount, moduleNameOf } from './keeper.ts';

/** What a module account may do with coins, as the SDK prints it. */
const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  bridge: ['minter', 'burner'],
  evm: ['minter', 'burner'],
};

export const authModule: Module = {
  name: 'auth',
  messages: {},
  queries: {
    '/cosmos.auth.v1beta1.Query/Account': (reader, { address }, at) => {
      requireAddress(at.parameters, String(address), 'address');
      const found = account(reader, String(address));
      if (found === undefined) throw sdkError('notFound', `account ${address} not found`);
      return { account: accountJson(String(address), found, at) };
    },
    '/cosmos.auth.v1beta1.Query/ModuleAccounts': (reader, _, at) => ({
      accounts: moduleAccounts(at.parameters).map((name) => {
        const address = moduleAddress(at.parameters, name);
        return accountJson(address, requireAccount(reader, address), at);
      }),
    }),
    '/cosmos.auth.v1beta1.Query/Bech32Prefix': (_, __, { parameters }) => ({ bech32_prefix: parameters.hrp }),
    '/cosmos.auth.v1beta1.Query/Params': () => ({
      params: {
        max_memo_characters: String(AUTH_PARAMETERS.maxMemoCharacters),
        tx_sig_limit: String(AUTH_PARAMETERS.txSigLimit),
        tx_size_cost_per_byte: String(AUTH_PARAMETERS.txSizeCostPerByte),
        sig_verify_cost_ed25519: String(AUTH_PARAMETERS.sigVerifyCostEd25519),
        sig_verify_cost_secp256k1: String(AUTH_PARAMETERS.sigVerifyCostSecp256k1),
      },
    }),
  },
  /** `accounts`, numbered in their order; then the module accounts. */
  initGenesis(context, { accounts }) {
    for (const { address } of (accounts ?? []) as readonly JsonObject[])
      ensureAccount(context, String(address));
    for (const name of moduleAccounts(context.parameters))
      ensureAccount(context, moduleAddress(context.parameters, name));
  },
  invariants: (reader) => {
    const numbers = [...reader.entries(ACCOUNTS)].map(([, { number }]) => number);
    return new Set(numbers).size === numbers.length ? [] : ['two accounts have one number'];
  },
};

function accountJson(address: string, found: Account, { parameters }: QueryMoment): JsonObject {
  const key = found.publicKey;
  const base = {
    address,
    pub_key:
      key === undefined
        ? null
        : { '@type': key.typeUrl, key: Buffer.from(key.key, 'hex').toString('base64') },
    account_number: String(found.number),
    sequence: String(found.sequence),
  };
  const name = moduleNameOf(parameters, address);
  if (name === undefined) return { '@type': '/cosmos.auth.v1beta1.BaseAccount', ...base };
  return {
    '@type': '/cosmos.auth.v1beta1.ModuleAccount',
    base_account: base,
    name,
    permissions: PERMISSIONS[name] ?? [],
  };
}

function requireAccount(reader: Reader, address: string): Account {
  return account(reader, address) ?? { number: 0n, sequence: 0n, publicKey: undefined };
}
