import { getCreate2Address, Interface, keccak256, SigningKey, solidityPacked, Transaction } from 'ethers';
import type { Key } from 'strata-kit/client/keys';
import type { Chain } from '../chain.ts';
import type { SentEvent } from '../sender.ts';

/** Ethereum txs of an account of the app: signed, inside a Cosmos tx, by the account's own sequence. */

export interface Call {
  /** EIP-55 */
  readonly to: string;
  /** 0x-hex */
  readonly data: string;
  readonly gasLimit: bigint;
}

const MESSAGE = '/cosmos.evm.vm.v1.MsgEthereumTx';
const EXTENSION = '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx';

/** TxRaw, as cosmos/evm takes it: one message, its extension option, no signature of its own. */
export function ethereumTx({ codec, facts }: Chain, key: Key, nonce: bigint, call: Call): Uint8Array {
  const { gasLimit } = call;
  const price = facts.minGasPrice;
  const tx = Transaction.from({
    ...{ type: 2, chainId: facts.evmChainId ?? 0n, nonce: Number(nonce), to: call.to, data: call.data },
    ...{ gasLimit, maxFeePerGas: price, maxPriorityFeePerGas: price, value: 0n },
  });
  tx.signature = new SigningKey(key.privateKey).sign(tx.unsignedHash);
  const message = {
    '@type': MESSAGE,
    from: Buffer.from(key.address).toString('base64'),
    raw: Buffer.from(tx.serialized.slice(2), 'hex').toString('base64'),
  };
  const body = codec.encode('/cosmos.tx.v1beta1.TxBody', {
    messages: [message],
    extension_options: [{ '@type': EXTENSION }],
  });
  const authInfo = codec.encode('/cosmos.tx.v1beta1.AuthInfo', {
    fee: {
      amount: [{ denom: facts.gasDenom, amount: String(gasLimit * price) }],
      gas_limit: String(gasLimit),
    },
  });
  return codec.encode('/cosmos.tx.v1beta1.TxRaw', {
    body_bytes: Buffer.from(body).toString('base64'),
    auth_info_bytes: Buffer.from(authInfo).toString('base64'),
  });
}

/** Of a tx that has code 0 although its call was reverted. */
export function revertOf(events: readonly SentEvent[]): string | undefined {
  return events
    .filter(({ type }) => type === 'ethereum_tx')
    .flatMap(({ attributes }) => attributes)
    .find(([name]) => name === 'ethereumTxFailed')?.[1];
}

const ERC20 = new Interface(['function approve(address spender, uint256 amount)']);
const ROUTER = new Interface([
  'function addLiquidity(address tokenA, address tokenB, uint256 amountA, uint256 amountB, uint256 minA, uint256 minB, address to, uint256 deadline)',
]);
const FAR_AWAY = 2n ** 40n;

/** A pool's first liquidity: what the router may take, then that it takes it. */
export function poolCalls(
  router: string,
  owner: string,
  [a, b]: readonly [Deposit, Deposit],
): readonly Call[] {
  const approve = ({ token, amount }: Deposit): Call => ({
    to: token,
    data: ERC20.encodeFunctionData('approve', [router, amount]),
    gasLimit: 200_000n,
  });
  const add = [a.token, b.token, a.amount, b.amount, 0n, 0n, owner, FAR_AWAY];
  return [
    approve(a),
    approve(b),
    // it makes the pair as well
    { to: router, data: ROUTER.encodeFunctionData('addLiquidity', add), gasLimit: 4_000_000n },
  ];
}

export interface Deposit {
  readonly token: string;
  readonly amount: bigint;
}

/** keccak256 of the pair's creation code in @uniswap/v2-core 1.0.1, which the router has in its own code. */
const PAIR_CODE_HASH = '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f';

/** Where the factory makes the pair of two tokens (CREATE2). */
export function pairOf(factory: string, a: string, b: string): string {
  const sorted = BigInt(a) < BigInt(b) ? [a, b] : [b, a];
  return getCreate2Address(
    factory,
    keccak256(solidityPacked(['address', 'address'], sorted)),
    PAIR_CODE_HASH,
  );
}
