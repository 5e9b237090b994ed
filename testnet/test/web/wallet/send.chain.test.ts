import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyFromSeed, bech32Of as nodeBech32 } from 'strata-kit/client/keys';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AskError } from '../../../web/src/data/errors.ts';
import { burnerWallet } from '../../../web/src/wallet/burner.ts';
import { burnerKeyOf } from '../../../web/src/wallet/burner-key.ts';
import { openChainTypes } from '../../../web/src/wallet/chain-types.ts';
import { type PendingStorage, pendingOf, triesOf } from '../../../web/src/wallet/pending.ts';
import { type ChainAccess, prepareTx } from '../../../web/src/wallet/prepare.ts';
import { resend, type Sending, sendCall, sendDocument } from '../../../web/src/wallet/send.ts';
import { type EthereumWallet, WalletError } from '../../../web/src/wallet/wallet.ts';
import { type DevnetChain, FAUCET, openDevnetChain } from '../../app/support/devnet-chain.ts';

/** What a page keeps of a tx before it sends it, and what it takes for a no. On a real chain, whose blocks the test makes. */

const types = openChainTypes(
  readFileSync(join(import.meta.dirname, '../../../../kit/descriptors.binpb')),
  'aeva',
);
const key = burnerKeyOf(Buffer.from(FAUCET.privateKey).toString('hex'));
if (key === undefined) throw new Error('no key');
const wallet = burnerWallet(key, 'aeva');
let paid = 0;
let to: string;
let chain: DevnetChain;
let storage: PendingStorage;

beforeAll(async () => {
  // a block when there is a tx: by the clock, a busy machine would pass a tx's timeout height before it is sent
  chain = await openDevnetChain({ blockTimeMs: 0 });
});
afterAll(() => chain.close());
beforeEach(async () => {
  // what the test before has left in the mempool
  await chain.devnet.produceBlock();
  storage = mapStorage();
  paid += 1;
  to = nodeBech32('aeva', keyFromSeed('secp256k1', 'paid by a page', paid));
});

function mapStorage(): PendingStorage {
  const map = new Map<string, string>();
  return {
    get length() {
      return map.size;
    },
    key: (index) => [...map.keys()][index] ?? null,
    getItem: (name) => map.get(name) ?? null,
    setItem: (name, value) => void map.set(name, value),
    removeItem: (name) => void map.delete(name),
  };
}

const access: ChainAccess = {
  query: (path, data) => chain.chain.node.query(path, data),
  broadcast: (tx) => chain.chain.node.broadcast(tx),
};
const chainId = 'aeva_9111-1';
const sending = () => ({ chainId, title: 'Send coins', action: `7 to ${to}`, storage });
const kept = () => pendingOf(storage, chainId, wallet.address);

function sentNothing(): never {
  throw new Error('nothing is kept');
}

async function send(
  broadcast: ChainAccess['broadcast'],
  { amount = '7', ...more }: Partial<Sending> & { readonly amount?: string } = {},
) {
  const message = {
    '@type': '/cosmos.bank.v1beta1.MsgSend',
    ...{ from_address: wallet.address, to_address: to, amount: [{ denom: 'uusd', amount }] },
  };
  const { facts } = chain.chain;
  const tx = await prepareTx(types, access, [message], {
    ...{ address: wallet.address, publicKey: wallet.publicKey, chainId, gasDenom: 'aaeva' },
    minGasPrice: facts.minGasPrice,
  });
  return await sendDocument(wallet, tx, types, { broadcast }, { ...sending(), ...more });
}

describe('a tx of a page', () => {
  const answers: readonly (readonly [what: string, answer: () => unknown])[] = [
    ['none', () => Promise.reject(new AskError(0, 'offline', 'Failed to fetch'))],
    ['a time-out of a proxy', () => Promise.reject(new AskError(504, 'internal', 'the server answered 504'))],
    ['that the node does not answer', () => Promise.reject(new AskError(503, 'unavailable', 'later'))],
    ['an error page without a code', () => Promise.reject(new AskError(400, 'internal', 'Bad Request'))],
    ['a body that cannot be read', async () => undefined],
    ['another JSON', async () => ({ code: '5' })],
    [
      'a sequence that is used, perhaps by itself',
      async () => ({
        ...{ hash: '', codespace: 'sdk', code: 32 },
        log: 'account sequence mismatch, expected 9, got 8: incorrect account sequence',
      }),
    ],
  ];
  it.each(answers)('whose answer is %s is kept, and pays once when it is sent again', async (_, answer) => {
    const sent = await send(async (tx) => {
      // before anybody has it
      expect(kept()).toMatchObject({ bytes: Buffer.from(tx).toString('base64'), title: 'Send coins' });
      await access.broadcast(tx);
      return (await answer()) as Awaited<ReturnType<ChainAccess['broadcast']>>;
    });
    expect(sent.isTaken).toBe(false);
    expect(kept()).toEqual(sent.pending);
    // nothing else is signed beside it
    await expect(send(access.broadcast)).rejects.toThrow(/Nothing was sent: a transaction is on its way/);
    await chain.devnet.produceBlock();
    await resend(access, sent.pending);
    await chain.devnet.produceBlock();
    expect(await chain.balance(to, 'uusd')).toBe(7n);
    expect((await chain.chain.node.tx(sent.pending.hash ?? ''))?.code).toBe(0);
    expect(sent.pending.timeoutHeight).toBeGreaterThan(sent.pending.signedHeight);
  });

  it('is told to be out before its answer comes, which may hang while a block takes it', async () => {
    const steps: string[] = [];
    const onKept = () => {
      expect(kept()).toBeDefined();
      steps.push('kept');
    };
    await send(
      async (tx) => {
        steps.push('handed over');
        return await access.broadcast(tx);
      },
      { onKept },
    );
    expect(steps).toEqual(['kept', 'handed over']);
  });

  it('whose page was left before it was signed is neither kept nor sent', async () => {
    let count = 0;
    const act = send(
      async (tx) => {
        count += 1;
        return await access.broadcast(tx);
      },
      { signal: AbortSignal.abort() },
    );
    await expect(act).rejects.toMatchObject({ name: 'WalletError', kind: 'declined' });
    expect({ count, kept: kept() }).toEqual({ count: 0, kept: undefined });
  });

  it('that is refused stays beside the next one, which has its sequence: a block takes one of them', async () => {
    const refused = { hash: '', codespace: 'sdk', code: 13, log: 'insufficient fees' };
    const held: Uint8Array[] = [];
    // a relay keeps the bytes
    const refuse = (tx: Uint8Array) => {
      held.push(tx);
      return Promise.resolve(refused);
    };
    await expect(send(refuse)).rejects.toMatchObject({ name: 'ChainRefusal', code: 13 });
    const first = kept();
    expect(first).toMatchObject({ isRefused: true });
    const unread = new AskError(400, 'bad_request', 'tx must be base64');
    const other = { action: `8 to ${to}`, amount: '8' };
    await expect(send(() => Promise.reject(unread), other)).rejects.toBe(unread);
    expect(kept()).toMatchObject({
      isRefused: true,
      sequence: first?.sequence,
      earlier: [{ hash: first?.hash }],
    });
    const sent = await send(access.broadcast, { action: `9 to ${to}`, amount: '9' });
    expect(triesOf(kept()).map(({ sequence }) => sequence)).toEqual(Array(3).fill(first?.sequence));
    expect([kept(), sent.isTaken]).toEqual([sent.pending, true]);
    await chain.devnet.produceBlock();
    expect(await access.broadcast(held[0] ?? new Uint8Array())).toMatchObject({ codespace: 'sdk', code: 32 });
    expect(await chain.balance(to, 'uusd')).toBe(9n);
  });

  it('is neither signed nor sent where a refused one has another sequence', async () => {
    const refused = { hash: '', codespace: 'sdk', code: 5, log: 'insufficient funds' };
    // a relay sends it on
    const lie = (tx: Uint8Array) => access.broadcast(tx).then(() => refused);
    await expect(send(lie)).rejects.toMatchObject({ code: 5 });
    await chain.devnet.produceBlock();
    const before = kept();
    await expect(send(access.broadcast)).rejects.toThrow(/Nothing was sent: a transaction is on its way/);
    expect(kept()).toEqual(before);
    // and not sent again
    await resend({ broadcast: () => Promise.reject(new Error('sent')) }, before ?? sentNothing());
    expect(await chain.balance(to, 'uusd')).toBe(7n);
  });

  it('is not sent where the browser keeps nothing', async () => {
    storage = { ...mapStorage(), setItem: () => undefined };
    let count = 0;
    const act = send(async (tx) => {
      count += 1;
      return access.broadcast(tx);
    });
    await expect(act).rejects.toThrow(/Nothing was sent: this browser does not keep/);
    expect(count).toBe(0);
  });

  it('waits for as many accounts as there is room for, and drops none', async () => {
    for (let i = 0; i < 16; i++) storage.setItem(`strata.pending.${chainId}.aeva1${i}`, '{}');
    await expect(send(access.broadcast)).rejects.toThrow(/16 accounts of this browser wait/);
    expect(storage.length).toBe(16);
  });
});

describe("an Ethereum wallet's own tx", () => {
  const call = { to: '0x', value: 1n, data: '0x' };
  const walletWith = (act: () => Promise<string>): EthereumWallet => ({
    ...{ kind: 'injected', signs: 'ethereum', address: wallet.address, evmAddress: wallet.evmAddress },
    send: act,
  });
  const next = { sequence: 8n, height: 30 };

  it('is kept before the wallet is asked, and by its hash then', async () => {
    const hash = `0x${'ab'.repeat(32)}`;
    const asked = walletWith(async () => {
      expect(kept()).toMatchObject({ hash: null, sequence: '8', signedHeight: 30 });
      return hash;
    });
    expect((await sendCall(asked, call, next, sending())).isTaken).toBe(true);
    expect(kept()?.hash).toBe(hash);
  });

  it('stays open where the browser is full once the wallet has sent it: nothing is sent twice', async () => {
    const hash = `0x${'cd'.repeat(32)}`;
    const keeping = storage;
    storage = { ...mapStorage(), getItem: keeping.getItem, setItem: keeping.setItem };
    const full = walletWith(async () => {
      storage.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
      return hash;
    });
    const sent = await sendCall(full, call, next, sending());
    expect(sent).toMatchObject({ isTaken: true, pending: { hash } });
    expect(kept()).toMatchObject({ hash: null, sequence: '8' });
  });

  it('is kept where the wallet does not say whether it has sent it, and not where it surely has not', async () => {
    const unsure = walletWith(() => Promise.reject(new WalletError('unknown', 'Internal error')));
    expect(await sendCall(unsure, call, next, sending())).toMatchObject({ isTaken: false });
    expect(kept()?.hash).toBeNull();
    storage = mapStorage();
    const declined = walletWith(() => Promise.reject(new WalletError('declined', 'no')));
    await expect(sendCall(declined, call, next, sending())).rejects.toMatchObject({ kind: 'declined' });
    expect(kept()).toBeUndefined();
  });
});
