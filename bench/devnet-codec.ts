import { bech32Of, keyFromSeed } from 'strata-kit/client/keys';
import { buildTx, signDocument } from 'strata-kit/client/tx';
import { openCodec } from 'strata-kit/codec/codec';
import type { Figure } from './support/report.ts';

const PASSES = 5;
const TIMES = 20_000;

/** CPU that the reference chain's codec takes for a tx with one MsgSend and for a typed event: the least of 5 passes. */
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
  ];
}

function micros(name: string, act: () => void): Figure {
  const passes = Array.from({ length: PASSES }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < TIMES; i++) act();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / TIMES;
  });
  return { name, value: Math.min(...passes), unit: 'µs' };
}
