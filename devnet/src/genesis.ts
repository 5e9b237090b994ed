import { bytesToBase64 } from 'strata-kit/bytes';
import type { Coin } from 'strata-kit/coin';
import type { JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs, parseTimeNs } from 'strata-kit/time';
import type { ChainParameters } from './app/parameters.ts';
import { type Plan, planJson, readPlans } from './app/plans.ts';
import type { Validator } from './comet/types.ts';
import { coinToJson } from './modules/bank/coins.ts';

/** CometBFT's consensus parameters; they never change. */
export const MAX_BLOCK_BYTES = 4_194_304;
/** As the EVM tells it. */
export const MAX_BLOCK_GAS = 40_000_000;
export const APP_VERSION = 1;

export interface GenesisAccount {
  readonly address: string;
  readonly coins: readonly Coin[];
}

export interface GenesisOptions {
  readonly parameters: ChainParameters;
  readonly timeNs: bigint;
  readonly validator: Validator;
  readonly accounts: readonly GenesisAccount[];
  /** More of app_state, by module. */
  readonly appState?: JsonObject;
  readonly plans?: readonly Plan[];
}

/** The genesis document, from which the same chain starts again; app_state.strata holds the chain's parameters. */
export function createGenesis({
  parameters,
  timeNs,
  validator,
  accounts,
  appState,
  plans = [],
}: GenesisOptions): JsonObject {
  return {
    genesis_time: formatTimeNs(timeNs),
    chain_id: parameters.chainId,
    initial_height: '1',
    consensus_params: {
      block: { max_bytes: String(MAX_BLOCK_BYTES), max_gas: String(MAX_BLOCK_GAS) },
      evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
      validator: { pub_key_types: ['ed25519'] },
      version: { app: String(APP_VERSION) },
      abci: { vote_extensions_enable_height: '0' },
    },
    validators: [
      {
        address: validator.address,
        pub_key: { type: 'tendermint/PubKeyEd25519', value: bytesToBase64(validator.publicKey) },
        power: String(validator.power),
        name: 'strata-devnet',
      },
    ],
    app_hash: '',
    app_state: {
      ...appState,
      strata: parametersJson(parameters),
      ...(plans.length === 0 ? {} : { upgrade: { plans: plans.map(planJson) } }),
      auth: { accounts: accounts.map(({ address }) => ({ address })) },
      bank: {
        balances: accounts
          .filter(({ coins }) => coins.length > 0)
          .map(({ address, coins }) => ({ address, coins: [...coins].sort(byDenom).map(coinToJson) })),
      },
    },
  };
}

/** What openDevnet takes from a genesis document. Errors: an Error for a document of another kind. */
export function readGenesis(genesis: JsonObject) {
  const appState = genesis.app_state as JsonObject | undefined;
  const timeNs = parseTimeNs(String(genesis.genesis_time));
  if (appState?.strata === undefined || timeNs === undefined)
    throw new Error('this genesis is not one of a devnet: it lacks genesis_time or app_state.strata');
  const [validator] = genesis.validators as readonly JsonObject[];
  return {
    appState,
    timeNs,
    plans: readPlans((appState.upgrade as JsonObject | undefined)?.plans),
    parameters: parametersFrom(String(genesis.chain_id), appState.strata as JsonObject),
    validatorAddress: String(validator?.address),
  };
}

function parametersJson(parameters: ChainParameters): JsonObject {
  return {
    evm_chain_id: String(parameters.evmChainId),
    namespace: parameters.namespace,
    hrp: parameters.hrp,
    gas_denom: parameters.gasDenom,
    ...(parameters.gasDecimals === 18
      ? {}
      : { gas_decimals: parameters.gasDecimals, evm_denom: parameters.evmDenom }),
    stable_denom: parameters.stableDenom,
    min_gas_price: String(parameters.minGasPrice),
    bridge_authority: parameters.bridgeAuthority,
    relayer: parameters.relayer,
  };
}

function parametersFrom(chainId: string, json: JsonObject): ChainParameters {
  return {
    chainId,
    evmChainId: BigInt(String(json.evm_chain_id)),
    namespace: String(json.namespace),
    hrp: String(json.hrp),
    gasDenom: String(json.gas_denom),
    gasDecimals: json.gas_decimals === 6 ? 6 : 18,
    evmDenom: String(json.evm_denom ?? json.gas_denom),
    stableDenom: String(json.stable_denom),
    minGasPrice: BigInt(String(json.min_gas_price)),
    bridgeAuthority: String(json.bridge_authority),
    relayer: String(json.relayer),
  };
}

function byDenom(a: Coin, b: Coin): number {
  return a.denom < b.denom ? -1 : 1;
}
