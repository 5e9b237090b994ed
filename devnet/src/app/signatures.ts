import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { LRUCache } from 'lru-cache';
import { sdkError } from 'strata-kit/chain-error';
import { type Account, account, type PublicKey, setPublicKey } from '../modules/auth/keeper.ts';
import { addressOf, signatureGas, verifySignature } from './keys.ts';
import type { AnteContext } from './module.ts';
import type { SignerInfo, Tx } from './tx.ts';

/** Signatures that were found good, so that a block does not verify what the mempool has. */
const VERIFIED_SIGNATURES = 20_000;
const verified = new LRUCache<string, true>({ max: VERIFIED_SIGNATURES });

/** Sets what keys the signers bring with them: they must be their addresses' own. Errors: sdk/8, sdk/4. */
export function takePublicKeys(context: AnteContext, tx: Tx): void {
  const { hrp } = context.parameters;
  for (const [i, signer] of tx.signers.entries()) {
    const given = tx.signerInfos[i]?.publicKey;
    if (given === undefined) continue;
    if (context.mode !== 'simulate' && addressOf(hrp, given) !== signer) {
      throw sdkError(
        'invalidPubKey',
        `pubKey does not match signer address ${signer} with signer index: ${i}: invalid pubkey`,
      );
    }
    const known = account(context.state, signer);
    if (known === undefined) throw unknownAccount(signer);
    // in a simulation too, as the SDK has it: setting a key costs gas
    if (known.publicKey === undefined) setPublicKey(context, signer, given);
  }
}

/** Errors: sdk/11. */
export function chargeSignatures(context: AnteContext, tx: Tx): void {
  for (const [i, signer] of tx.signers.entries()) {
    const key = account(context.state, signer)?.publicKey ?? tx.signerInfos[i]?.publicKey;
    if (key === undefined && context.mode === 'simulate') {
      context.gas.consume(1_000, 'ante verify: secp256k1');
    } else {
      const { gas, location } = signatureGas(requireKey(key));
      context.gas.consume(gas, location);
    }
  }
}

/** Sequences and signatures of all signers. Errors: sdk/32, sdk/8, sdk/4. */
export function verifySigners(context: AnteContext, tx: Tx): void {
  if (tx.signerInfos.length !== tx.signers.length) {
    throw sdkError(
      'unauthorized',
      `invalid number of signer;  expected: ${tx.signers.length}, got ${tx.signerInfos.length}: unauthorized`,
    );
  }
  for (const [i, signer] of tx.signers.entries()) {
    const known = account(context.state, signer);
    if (known === undefined) throw unknownAccount(signer);
    const info = tx.signerInfos[i] as SignerInfo;
    if (context.mode !== 'simulate') requireKey(known.publicKey);
    if (info.sequence !== known.sequence) {
      throw sdkError(
        'wrongSequence',
        `account sequence mismatch, expected ${known.sequence}, got ${info.sequence}: incorrect account sequence`,
      );
    }
    if (context.verifies) requireSignature(context, tx, i, info, known);
  }
}

function requireSignature(context: AnteContext, tx: Tx, i: number, info: SignerInfo, known: Account): void {
  const { chainId } = context.parameters;
  const refuse = (reason: string) =>
    sdkError(
      'unauthorized',
      `signature verification failed; please verify account number (${known.number}) and chain-id (${chainId}): (${reason}): unauthorized`,
    );
  if (info.mode !== 'SIGN_MODE_DIRECT')
    throw refuse(`can't verify sign mode ${info.mode ?? 'of several keys'}`);
  const key = requireKey(known.publicKey);
  const cacheKey = `${tx.hash} ${i} ${known.number} ${chainId} ${key.key}`;
  if (verified.has(cacheKey)) return;
  const signature = tx.signatures[i] ?? new Uint8Array(0);
  if (!verifySignature(key, signature, signBytes(tx, chainId, known.number)))
    throw refuse('unable to verify single signer signature');
  verified.set(cacheKey, true);
}

/** `tx.acc_seq` and `tx.signature` of each signer, as a node indexes them. */
export function emitSignatures(context: AnteContext, tx: Tx): void {
  for (const [i, signer] of tx.signers.entries()) {
    context.emitPlain('tx', [['acc_seq', `${signer}/${tx.signerInfos[i]?.sequence ?? 0n}`]]);
    const signature = Buffer.from(tx.signatures[i] ?? new Uint8Array(0)).toString('base64');
    context.emitPlain('tx', [['signature', signature]]);
  }
}

/** SignDoc of SIGN_MODE_DIRECT. */
function signBytes(tx: Tx, chainId: string, accountNumber: bigint): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).bytes(tx.bodyBytes);
  writer.tag(2, WireType.LengthDelimited).bytes(tx.authInfoBytes);
  writer.tag(3, WireType.LengthDelimited).string(chainId);
  if (accountNumber !== 0n) writer.tag(4, WireType.Varint).uint64(accountNumber);
  return writer.finish();
}

function requireKey(key: PublicKey | undefined): PublicKey {
  if (key === undefined) throw sdkError('invalidPubKey', 'pubkey on account is not set: invalid pubkey');
  return key;
}

function unknownAccount(address: string) {
  return sdkError('unknownAddress', `account ${address} does not exist: unknown address`);
}
