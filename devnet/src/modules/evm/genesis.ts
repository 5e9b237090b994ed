import { generateAddress } from '@ethereumjs/util';
import { AbiCoder } from 'ethers';
import { encodeBech32, toChecksumAddress } from 'strata-kit/address';
import { hexToBytes, utf8ToBytes } from 'strata-kit/bytes';
import { keccak256 } from 'strata-kit/hash';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Context } from '../../app/module.ts';
import { ensureAccount, setSequence } from '../auth/keeper.ts';
import { type Artifact, uniswapArtifact } from './artifact.ts';
import { LENDING_MARKET, MAKER, REVERTER } from './contracts/artifacts.ts';
import { baseFee } from './fees.ts';
import { BLOCK_GAS_LIMIT, type Machine } from './machine.ts';
import { stableAddress } from './precompiles.ts';
import { openSession } from './session.ts';

/** What stands from the first block on, in the order of the deployer's nonces. */
const DEPLOYED = ['wrappedNative', 'factory', 'router', 'lendingMarket', 'reverter', 'maker'] as const;

/** Addresses as EIP-55. */
export type GenesisContracts = Readonly<Record<(typeof DEPLOYED)[number] | 'stable', string>>;

type Named = Pick<Context, 'parameters'>['parameters'];

/** Deploys at genesis and never again: the last 20 bytes of keccak256(`<ns>/deployer/v1`), of which nobody has a key. */
function deployerOf({ namespace }: Pick<Named, 'namespace'>): Uint8Array {
  return keccak256(utf8ToBytes(`${namespace}/deployer/v1`)).subarray(12);
}

/** Where they are: the same for every chain of a namespace and a stable denom. */
export function genesisContracts(parameters: Named): GenesisContracts {
  const deployer = deployerOf(parameters);
  const addresses = DEPLOYED.map(
    (name, nonce) =>
      [
        name,
        toChecksumAddress(generateAddress(deployer, nonce === 0 ? NO_BYTES : Uint8Array.of(nonce))),
      ] as const,
  );
  const stable = toChecksumAddress(hexToBytes(stableAddress(parameters)) ?? NO_BYTES);
  return { ...Object.fromEntries(addresses), stable } as GenesisContracts;
}

const NO_BYTES = new Uint8Array(0);
/** Base units of the stable coin that the lending market counts for 10^18 of the native one. */
const NATIVE_PRICE = '2000000';

/** Runs the creation code of each. `genesis.native_price` is the lending market's price, 2 stable coins unless told. */
export async function deployContracts(
  machine: Machine,
  context: Context,
  genesis: JsonObject,
): Promise<void> {
  const { wrappedNative, factory, stable } = genesisContracts(context.parameters);
  const deployer = toChecksumAddress(deployerOf(context.parameters));
  const price = String(genesis.native_price ?? NATIVE_PRICE);
  await deploy(machine, context, uniswapArtifact('WETH9'), [], []);
  await deploy(machine, context, uniswapArtifact('UniswapV2Factory'), ['address'], [deployer]);
  await deploy(
    machine,
    context,
    uniswapArtifact('UniswapV2Router02'),
    ['address', 'address'],
    [factory, wrappedNative],
  );
  await deploy(machine, context, LENDING_MARKET, ['address', 'uint256'], [stable, price]);
  await deploy(machine, context, REVERTER, [], []);
  await deploy(machine, context, MAKER, [], []);
}

async function deploy(
  machine: Machine,
  context: Context,
  { bytecode }: Artifact,
  types: readonly string[],
  values: readonly string[],
): Promise<void> {
  const from = deployerOf(context.parameters);
  const account = encodeBech32(context.parameters.hrp, from);
  setSequence(context, account, ensureAccount(context, account).sequence + 1n);
  const code = bytecode + AbiCoder.defaultAbiCoder().encode(types, values).slice(2);
  const { session, release } = openSession(context);
  const outcome = await machine.execute(
    session,
    {
      height: BigInt(context.height),
      timestamp: context.timeNs / 1_000_000_000n,
      coinbase: from,
      baseFee: baseFee(context.parameters),
    },
    {
      from,
      to: undefined,
      value: 0n,
      data: hexToBytes(code.slice(2)) ?? NO_BYTES,
      gasLimit: BLOCK_GAS_LIMIT,
      intrinsicGas: 0n,
      gasPrice: 0n,
      accessList: [],
    },
  );
  release();
  if (outcome.vmError !== '')
    throw new Error(`a contract of the genesis cannot be deployed: ${outcome.vmError}`);
}
