import { secp256k1 as noble } from '@noble/curves/secp256k1.js';
import { bech32Of, keyFromSeed } from 'strata-kit/client/keys';
import { buildTx, signDocument } from 'strata-kit/client/tx';
import { openCodec } from 'strata-kit/codec/codec';
import { sha256 } from 'strata-kit/hash';
import { recoverPoint, signDigest, verifyDigest } from 'strata-kit/secp256k1';
import type { Figure } from './support/report.ts';

const PASSES = 5;
const TIMES = 20_000;

/** CPU of the reference chain's codec for a tx with one MsgSend and for a typed event, and of signatures: the least of 5 passes. */
export function benchDevnetCodec(): Figure[] {
  const codec = openCodec({ namespace: 'aeva' });
  const key = keyFromSeed('secp256k1', 'bench');
  const signer = { key, accountNumber: 3n, sequence: 4n };
  const content = {
    messages: [
      {
        '@type': '/cosmos.bank.v1beta1.MsgSend',
        from_address: bech32Of('aeva', key),
        to_address: bech32Of('aeva', keyFromSeed('secp256k1', 'other')),
        amount: [{ denom: 'uusd', amount: '1000000' }],
      },
    ],
    fee: [{ denom: 'aaeva', amount: 200_000_000_000_000n }],
    gasLimit: 200_000n,
  };
  const tx = buildTx(codec, content, [signer], 'bench');
  const { bodyBytes, authInfoBytes } = signDocument(codec, content, [signer]);
  const issued = {
    asset_id: '472937304b8fe0f9b158105de5a16c5a36f7e42c39dc03b3c0eef0e90960a38a',
    kind_id: 1,
    recipient: bech32Of('aeva', key),
    units: '5',
    supply_after: '7',
    recipient_units_after: '6',
  };
  return [
    micros('body and auth info to bytes', () => signDocument(codec, content, [signer])),
    micros('TxRaw, body and auth info from bytes', () => {
      codec.decode('/cosmos.tx.v1beta1.TxRaw', tx);
      codec.decode('/cosmos.tx.v1beta1.TxBody', bodyBytes);
      codec.decode('/cosmos.tx.v1beta1.AuthInfo', authInfoBytes);
    }),
    micros('attributes of a typed event', () => codec.eventAttributes('aeva.rights.v1.EventIssued', issued)),
    micros('a signed tx, with the signature', () => buildTx(codec, content, [signer], 'bench')),
    ...curves(key.privateKey, key.publicKey, sha256(tx)),
  ];
}

/** The native library against JavaScript: why strata-kit/secp256k1 has the native one. */
function curves(privateKey: Uint8Array, publicKey: Uint8Array, digest: Uint8Array): Figure[] {
  const { signature, recovery } = signDigest(digest, privateKey);
  const asGiven = { prehash: false, lowS: true } as const;
  const inNoble = noble.Signature.fromBytes(signature, 'compact').addRecoveryBit(recovery);
  const times = TIMES / 40;
  return [
    micros('sign, native', () => signDigest(digest, privateKey), times),
    micros('sign, @noble/curves', () => noble.sign(digest, privateKey, asGiven), times),
    micros('verify, native', () => verifyDigest(signature, digest, publicKey), times),
    micros('verify, @noble/curves', () => noble.verify(signature, digest, publicKey, asGiven), times),
    micros('recover, native', () => recoverPoint(signature, recovery, digest), times),
    micros('recover, @noble/curves', () => inNoble.recoverPublicKey(digest), times),
  ];
}

function micros(name: string, act: () => void, times = TIMES): Figure {
  const passes = Array.from({ length: PASSES }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < times; i++) act();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
  });
  return { name, value: Math.min(...passes), unit: 'µs' };
}
