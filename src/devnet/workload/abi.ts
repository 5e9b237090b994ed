import { Interface } from 'ethers';
import { hexToBytes } from '../../core/bytes.ts';

const interfaces = new Map<string, Interface>();

export type AbiValue = bigint | boolean | string | Uint8Array | readonly Uint8Array[];

/** The data of a call: `encodeCall('transfer(address,uint256)', [to, 5n])`. Errors: those of ethers for other values. */
export function encodeCall(signature: string, values: readonly AbiValue[]): Uint8Array {
  let face = interfaces.get(signature);
  if (face === undefined) {
    face = new Interface([`function ${signature}`]);
    interfaces.set(signature, face);
  }
  const data = face.encodeFunctionData(signature, values.map(toEthers));
  return hexToBytes(data.slice(2)) ?? new Uint8Array();
}

function toEthers(value: AbiValue): unknown {
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  return Array.isArray(value) ? value.map(toEthers) : value;
}
