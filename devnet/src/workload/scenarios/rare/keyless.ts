import { encodeBech32 } from 'strata-kit/address';
import { utf8ToBytes } from 'strata-kit/bytes';
import { sha256 } from 'strata-kit/hash';
import type { Account } from '../../accounts.ts';
import type { Stage } from '../../stage.ts';

/** An account that nobody has a key of: it receives, and never signs. */
export type Keyless = Pick<Account, 'address'>;

/** New ones, of 20 bytes as people have them, or of 32 as groups and derived modules have them (ADR-028). */
export function keyless(stage: Stage, count: number, byteLength: 20 | 32): readonly Keyless[] {
  return Array.from({ length: count }, () => {
    const name = stage.unique(`strata/devnet/keyless/${stage.height}`);
    return { address: encodeBech32(stage.parameters.hrp, sha256(utf8ToBytes(name)).subarray(0, byteLength)) };
  });
}
