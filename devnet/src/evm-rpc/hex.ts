import { bytesToHex } from 'strata-kit/bytes';

/** How Ethereum's JSON-RPC prints: quantities without leading zeros, bytes as they are. */

export function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

export function data(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes)}`;
}

/** 32 bytes, zeros before. */
export function word(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes).padStart(64, '0')}`;
}
