import { hex } from '@scure/base';
import { evmAddressOf } from './address.ts';
import type { EthereumCall } from './wallet.ts';

/** The native coin, by wei. */
export function nativeTransfer(to: Uint8Array, value: bigint): EthereumCall {
  return { to: evmAddressOf(to), value, data: '0x' };
}

/** `transfer(address,uint256)` of an ERC-20 token. */
export function tokenTransfer(token: Uint8Array, to: Uint8Array, amount: bigint): EthereumCall {
  const data = `0xa9059cbb${hex.encode(to).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`;
  return { to: evmAddressOf(token), value: 0n, data };
}
