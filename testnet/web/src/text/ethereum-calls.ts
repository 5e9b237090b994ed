/** Calls that everybody's contracts have, by the first four bytes of their input. */
export interface EthereumCall {
  /** As Solidity has it; its hash begins with the selector. */
  readonly signature: string;
  readonly did: string;
  readonly toDo: string;
  /** What it is done with. */
  readonly what: string;
}

export const TRANSFER = 'a9059cbb';
export const TRANSFER_FROM = '23b872dd';

const SWAPPED = { did: 'swapped', toDo: 'swap' };
const ADDED = { did: 'added', toDo: 'add' };
const TOOK = { did: 'took', toDo: 'take' };
const LIST = 'uint256,uint256,address[],address,uint256';
const SHORT_LIST = 'uint256,address[],address,uint256';

export const ETHEREUM_CALLS: Readonly<Record<string, EthereumCall>> = {
  [TRANSFER]: {
    signature: 'transfer(address,uint256)',
    did: 'transferred',
    toDo: 'transfer',
    what: 'tokens',
  },
  [TRANSFER_FROM]: {
    signature: 'transferFrom(address,address,uint256)',
    did: 'transferred',
    toDo: 'transfer',
    what: 'tokens',
  },
  '095ea7b3': {
    signature: 'approve(address,uint256)',
    did: 'allowed',
    toDo: 'allow',
    what: 'somebody to spend tokens',
  },
  '40c10f19': { signature: 'mint(address,uint256)', did: 'minted', toDo: 'mint', what: 'tokens' },
  d0e30db0: { signature: 'deposit()', did: 'wrapped', toDo: 'wrap', what: 'coins' },
  '2e1a7d4d': { signature: 'withdraw(uint256)', did: 'unwrapped', toDo: 'unwrap', what: 'coins' },
  '38ed1739': { signature: `swapExactTokensForTokens(${LIST})`, ...SWAPPED, what: 'tokens for tokens' },
  '8803dbee': { signature: `swapTokensForExactTokens(${LIST})`, ...SWAPPED, what: 'tokens for tokens' },
  '7ff36ab5': { signature: `swapExactETHForTokens(${SHORT_LIST})`, ...SWAPPED, what: 'coins for tokens' },
  fb3bdb41: { signature: `swapETHForExactTokens(${SHORT_LIST})`, ...SWAPPED, what: 'coins for tokens' },
  '4a25d94a': { signature: `swapTokensForExactETH(${LIST})`, ...SWAPPED, what: 'tokens for coins' },
  '18cbafe5': { signature: `swapExactTokensForETH(${LIST})`, ...SWAPPED, what: 'tokens for coins' },
  e8e33700: {
    signature: 'addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)',
    ...ADDED,
    what: 'tokens to a pool',
  },
  f305d719: {
    signature: 'addLiquidityETH(address,uint256,uint256,uint256,address,uint256)',
    ...ADDED,
    what: 'coins and tokens to a pool',
  },
  baa2abde: {
    signature: 'removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)',
    ...TOOK,
    what: 'tokens out of a pool',
  },
  '02751cec': {
    signature: 'removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)',
    ...TOOK,
    what: 'coins and tokens out of a pool',
  },
  c9c65396: { signature: 'createPair(address,address)', did: 'opened', toDo: 'open', what: 'a pool' },
};

/** The word at a place behind the selector, as an address; undefined where it is none. */
export function addressArgument(input: string, place: number): string | undefined {
  const word = input.slice(8 + place * 64, 8 + (place + 1) * 64);
  return /^0{24}[0-9a-f]{40}$/.test(word) ? `0x${word.slice(24)}` : undefined;
}

export function amountArgument(input: string, place: number): string | undefined {
  const word = input.slice(8 + place * 64, 8 + (place + 1) * 64);
  return /^[0-9a-f]{64}$/.test(word) ? BigInt(`0x${word}`).toString() : undefined;
}
