import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing';
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { hexlify, keccak256, recoverAddress, Signature, Transaction } from 'ethers';
import { serviceAccount, workloadAccounts } from 'strata-devnet/workload/accounts';
import type { CommandContext } from 'strata-kit/cli/context';
import { createLogger } from 'strata-kit/cli/logging';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCapture } from '../../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../../src/chain/capture/source.ts';
import { splitRange } from '../../../src/chain/envelope.ts';
import { corpus } from '../../../src/cli/run/corpus.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** `strata corpus --blocks 40 --txs-per-block 8 --seed 5`: change it with the chain, and say so in the changelog. */
const SHA256 = '1d45f395e53cdb51d3966d0f88b95a7806f5ba5d14225cdfe91213c5568229f9';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const printed: string[] = [];
const context: CommandContext = {
  log: createLogger({ format: 'json', level: 'silent', colors: false, write: () => {} }),
  line: undefined,
  print: (line) => printed.push(line),
  write: () => {},
  columns: undefined,
  readInput: () => Promise.resolve(''),
  signal: new AbortController().signal,
  fail: () => {},
  version: '1.2.3',
};
const place = (name: string): string => join(folder.path, name);
const make = (name: string, blocks = 40, clock?: string): Promise<void> =>
  corpus({ folder: place(name), blocks, txsPerBlock: 8, seed: 5, clock }, context);

beforeAll(async () => {
  folder = await temporaryFolder();
  await make('first');
}, 120_000);
afterAll(() => folder.remove());

describe('a corpus', () => {
  it('is the same on every machine', async () => {
    expect(printed).toEqual([`${SHA256}  ${place('first')}`]);
    const lines = gunzipSync(await readFile(join(place('first'), 'blocks.jsonl.gz')));
    expect(createHash('sha256').update(lines).digest('hex')).toBe(SHA256);
  });

  it('is made once: a folder that holds it tells its hash, one that holds another is left alone', async () => {
    const blocks = await readFile(join(place('first'), 'blocks.jsonl.gz'));
    await make('first');
    expect(printed.at(-1)).toBe(`${SHA256}  ${place('first')}`);
    await expect(make('first', 41)).rejects.toThrow(/holds another corpus/);
    expect(await readFile(join(place('first'), 'blocks.jsonl.gz'))).toEqual(blocks);
  });

  it('takes its block times from a clock script, and is another corpus then', async () => {
    await make('days', 6, '2s*2,1d,6h');
    const source = createCaptureSource(await openCapture(place('days')));
    const blocks = splitRange(await source.fetch(1, 6));
    await source.close();
    expect(blocks.map(({ block }) => /"time":"([^"]+)"/.exec(block)?.[1])).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:02Z',
      '2026-01-01T00:00:04Z',
      '2026-01-02T00:00:04Z',
      '2026-01-02T06:00:04Z',
      '2026-01-02T06:00:06Z',
    ]);
    await make('days', 6, '2s*2,1d,6h');
    await expect(make('days', 6)).rejects.toThrow(/holds another corpus: .*"clock":"2s\*2,1d,6h"/);
    await expect(make('none', 6, '2s*0')).rejects.toMatchObject({
      code: 'config_invalid',
      message: '--clock: 2s*0 is not <duration>*<blocks>, with 1 to 1000000 blocks',
    });
  });

  it('is a capture like any other, with what the chain tells of itself', async () => {
    const capture = await openCapture(place('first'));
    const source = createCaptureSource(capture);
    const head = await source.head();
    expect(head).toMatchObject({ chainId: 'aeva_9111-1', earliestHeight: 1, latestHeight: 40 });
    const blocks = splitRange(await source.fetch(1, 40));
    expect(blocks.map(({ height }) => height)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    const prefix = await source.abciQuery('/cosmos.auth.v1beta1.Query/Bech32Prefix', new Uint8Array());
    expect([prefix.code, Buffer.from(prefix.value).toString('latin1')]).toEqual([0, '\n\u0004aeva']);
    expect(capture.descriptors?.length).toBeGreaterThan(10_000);
    await source.close();
  });

  it('has signatures that cosmjs makes and ethers recovers', async () => {
    const { cosmos, ethereum, payloads } = await signedTxs();
    expect([cosmos.length > 20, ethereum.length > 20, payloads.length > 20]).toEqual([true, true, true]);
    for (const { account, doc, signature } of cosmos) {
      const wallet = await DirectSecp256k1Wallet.fromKey(account.privateKey, 'aeva');
      const signed = await wallet.signDirect(account.address, doc);
      expect(Buffer.from(signature).toString('base64')).toBe(signed.signature.signature);
    }
    for (const { account, doc, signature } of ethereum) {
      const digest = keccak256(SignDoc.encode(doc).finish());
      const [r, s] = [hexlify(signature.subarray(0, 32)), hexlify(signature.subarray(32))];
      const signers = [0, 1].map((yParity) =>
        recoverAddress(digest, Signature.from({ r, s, yParity: yParity as 0 | 1 })),
      );
      expect(signers).toContain(account.evmAddress);
    }
    for (const { from, raw } of payloads) expect(Transaction.from(hexlify(raw)).from).toBe(from);
  });
});

const ACCOUNTS = [
  ...workloadAccounts('5', 'aeva'),
  ...(['faucet', 'bridge-authority', 'relayer'] as const).map((name) => serviceAccount(name, 'aeva')),
];

/** The signatures of all txs that succeeded, one signer each. */
async function signedTxs() {
  const source = createCaptureSource(await openCapture(place('first')));
  const numbers = await accountNumbers();
  const signed: { account: (typeof ACCOUNTS)[number]; doc: SignDoc; signature: Uint8Array }[] = [];
  const payloads: { from: string; raw: Uint8Array }[] = [];
  for (const { block, results } of splitRange(await source.fetch(1, 40))) {
    const { txs } = (JSON.parse(block) as { block: { data: { txs: readonly string[] } } }).block.data;
    const outcomes = (
      JSON.parse(results.toString('utf8')) as { txs_results: readonly { code: number }[] | null }
    ).txs_results;
    for (const [i, text] of txs.entries()) {
      if (outcomes?.[i]?.code !== 0) continue;
      const raw = TxRaw.decode(Buffer.from(text, 'base64'));
      const [message] = TxBody.decode(raw.bodyBytes).messages;
      const [signature] = raw.signatures;
      if (message?.typeUrl === '/cosmos.evm.vm.v1.MsgEthereumTx')
        payloads.push(ethereumMessage(message.value));
      else if (signature !== undefined && raw.signatures.length === 1) {
        const { signerInfos } = AuthInfo.decode(raw.authInfoBytes);
        // the key is field 1 of its message: a tag, a length, 33 bytes
        const key = Buffer.from(signerInfos[0]?.publicKey?.value.subarray(2) ?? []);
        const account = ACCOUNTS.find(({ publicKey }) => key.equals(publicKey));
        if (account === undefined) throw new Error('signed by nobody');
        const doc = SignDoc.fromPartial({
          bodyBytes: raw.bodyBytes,
          authInfoBytes: raw.authInfoBytes,
          chainId: 'aeva_9111-1',
          accountNumber: numbers.get(account.address) ?? 0n,
        });
        signed.push({ account, doc, signature });
      }
    }
  }
  await source.close();
  return {
    cosmos: signed.filter(({ account }) => account.algorithm === 'secp256k1'),
    ethereum: signed.filter(({ account }) => account.algorithm === 'eth_secp256k1'),
    payloads,
  };
}

/** The genesis numbers its accounts in their order. */
async function accountNumbers(): Promise<ReadonlyMap<string, bigint>> {
  const meta = JSON.parse(await readFile(join(place('first'), 'meta.json'), 'utf8')) as {
    genesis: { genesis: { app_state: { auth: { accounts: readonly { address: string }[] } } } };
  };
  const { accounts } = meta.genesis.genesis.app_state.auth;
  return new Map(accounts.map(({ address }, i) => [address, BigInt(i)]));
}

/** from = 5 (20 bytes), raw = 6. */
function ethereumMessage(value: Uint8Array): { from: string; raw: Uint8Array } {
  const from = hexlify(value.subarray(2, 22));
  const account = ACCOUNTS.find(({ bytes }) => hexlify(bytes) === from);
  if (account === undefined || value[0] !== 0x2a || value[22] !== 0x32) throw new Error('another message');
  const isLong = (value[23] as number) >= 0x80;
  const isLonger = isLong && (value[24] as number) >= 0x80;
  return { from: account.evmAddress, raw: value.subarray(24 + (isLong ? 1 : 0) + (isLonger ? 1 : 0)) };
}
