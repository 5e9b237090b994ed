import { bytesToHex } from 'strata-kit/bytes';
import { StrataError } from 'strata-kit/errors';

/** Literals and names for SQL text. Values never reach a statement in another way. */

/** A String literal, quotes included. */
export function quote(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0');
  return `'${escaped}'`;
}

/** A table's or column's name. Errors: internal, since names never come from outside. */
export function identifier(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) {
    throw new StrataError('internal', `${JSON.stringify(name)} is no name of a table or column`);
  }
  return `\`${name}\``;
}

/** Empties a table of any size: a server refuses that above its max_table_size_to_drop, 50 GB by default. */
export function truncateTable(name: string): string {
  return `TRUNCATE TABLE ${identifier(name)} SETTINGS max_table_size_to_drop = 0`;
}

/** Bytes as a String. */
export function hexLiteral(bytes: Uint8Array): string {
  return `unhex('${bytesToHex(bytes)}')`;
}

/** Bytes as a FixedString of their own length. */
export function fixedLiteral(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new StrataError('internal', 'A FixedString has at least one byte');
  return `toFixedString(${hexLiteral(bytes)}, ${bytes.length})`;
}

/** A non-negative integer that fits UInt64. */
export function uintLiteral(value: number | bigint): string {
  return checked(value, 0n, (1n << 64n) - 1n);
}

/** An integer that fits Int64. */
export function intLiteral(value: number | bigint): string {
  return checked(value, -(1n << 63n), (1n << 63n) - 1n);
}

/** A typed literal: as bare digits an integer above 64 bits becomes a float and no index is used. */
export function uint256Literal(value: bigint): string {
  return `toUInt256('${checked(value, 0n, (1n << 256n) - 1n)}')`;
}

/** As uint256Literal, for Int256. */
export function int256Literal(value: bigint): string {
  return `toInt256('${checked(value, -(1n << 255n), (1n << 255n) - 1n)}')`;
}

function checked(value: number | bigint, least: bigint, greatest: bigint): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new StrataError('internal', `${value} is no safe integer`);
  }
  const integer = BigInt(value);
  if (integer < least || integer > greatest) {
    throw new StrataError('internal', `${integer} is not within ${least} and ${greatest}`);
  }
  return integer.toString();
}
