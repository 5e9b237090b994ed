import { ecdsaRecover } from 'secp256k1';
import { equalBytes } from 'strata-kit/bytes';
import { accountState } from 'strata-kit/client/accounts';
import { bech32Of, type Key } from 'strata-kit/client/keys';
import { signDocBytes } from 'strata-kit/client/sign-direct';
import { keccak256 } from 'strata-kit/hash';
import type { Chain } from '../../../src/chain.ts';

/**
 * What somebody between a client and its node may do to a tx of an eth_secp256k1 key without that key: the recovery id is
 * added to the signature, or taken away. The chain takes both forms; each has a hash of its own.
 */
export async function withOtherHash(
  { codec, node, facts }: Chain,
  key: Key,
  tx: Uint8Array,
): Promise<Uint8Array> {
  const raw = codec.decode('/cosmos.tx.v1beta1.TxRaw', tx);
  const bytesOf = (text: unknown) => Buffer.from(String(text), 'base64');
  const signature = bytesOf((raw.signatures as string[])[0]);
  const compact = signature.subarray(0, 64);
  const state = await accountState(codec, node, bech32Of(facts.hrp, key));
  const document = { bodyBytes: bytesOf(raw.body_bytes), authInfoBytes: bytesOf(raw.auth_info_bytes) };
  const digest = keccak256(signDocBytes(document, facts.chainId, state?.number ?? 0n));
  const id = [0, 1].find((one) => equalBytes(ecdsaRecover(compact, one, digest, true), key.publicKey)) ?? 0;
  const changed = signature.length === 65 ? compact : Buffer.concat([compact, Buffer.of(id)]);
  return codec.encode('/cosmos.tx.v1beta1.TxRaw', { ...raw, signatures: [changed.toString('base64')] });
}
