import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContainerNode, h, render } from 'preact';
import { bech32Of, evmAddressOf, keyFromSeed } from 'strata-kit/client/keys';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChainFacts } from '../../../web/src/data/chain.ts';
import type { Signing } from '../../../web/src/sign/use-signing.ts';
import type { KeptWallet } from '../../../web/src/wallet/kept.ts';
import type { Action } from '../../../web/src/wallet/wallet.ts';
import { type DevnetChain, FAUCET, openDevnetChain } from '../../app/support/devnet-chain.ts';

/**
 * A form makes another action while its first one is on its way: a launch does, when the account's number of assets changes.
 * The panel stays with the first. The hook runs in Node, over a real chain; the answers to broadcasts are the test's.
 */

const DESCRIPTORS = readFileSync(join(import.meta.dirname, '../../../../kit/descriptors.binpb'));
const ADDRESS = bech32Of('aeva', FAUCET);
const TO = bech32Of('aeva', keyFromSeed('secp256k1', 'paid by a panel'));

let chain: DevnetChain;
let kept: KeptWallet;
let facts: ChainFacts;
let Probe: (props: { readonly action: Action }) => null;
let panel: Signing | undefined;
let root: ContainerNode;
/** What the browser keeps. */
let held: Map<string, string>;
/** Txs that the page has handed over, in base64. */
let broadcasts: string[];
/** What the panel told its owner. */
let told: string[];
/** Lets the answers to broadcasts come. */
let answer: () => void;
let mayAnswer: Promise<void>;
/** What a relay makes of a broadcast; undefined: it passes it on. */
let relay: ((tx: Uint8Array) => Promise<object>) | undefined;
/** Hashes of txs that the index has. */
let indexed: string[];

async function answerOf(asked: string | URL | Request, init?: RequestInit): Promise<Response> {
  if (asked instanceof Request) return answerOfIndex(new URL(asked.url).pathname);
  const url = new URL(asked, 'http://127.0.0.1');
  if (url.pathname.endsWith('descriptors.binpb')) return new Response(DESCRIPTORS);
  const { node } = chain.chain;
  if (url.pathname === '/api/chain/query') {
    const data = Buffer.from(url.searchParams.get('data') ?? '', 'hex');
    const { value, ...rest } = await node.query(url.searchParams.get('path') ?? '', data);
    return Response.json({ ...rest, value: Buffer.from(value).toString('base64') });
  }
  const { tx } = JSON.parse(String(init?.body)) as { readonly tx: string };
  broadcasts.push(tx);
  await mayAnswer;
  const bytes = Buffer.from(tx, 'base64');
  return Response.json(await (relay === undefined ? node.broadcast(bytes) : relay(bytes)));
}

function answerOfIndex(path: string): Response {
  const [, what = '', hash = ''] = /^\/v1\/(lookup|txs)\/(\w+)$/.exec(path) ?? [];
  const isThere = indexed.includes(hash);
  if (what === 'lookup') return Response.json({ candidates: isThere ? [{ type: 'tx', id: hash }] : [] });
  if (isThere) return Response.json({ hash, height: 9, code: 0, evm: null });
  return Response.json({ error: 'not yet', code: 'not_found' }, { status: 404 });
}

beforeAll(async () => {
  // a block when there is a tx: by the clock, a busy machine would pass a tx's timeout height before it is sent
  chain = await openDevnetChain({ blockTimeMs: 0 });
  vi.stubGlobal('localStorage', {
    get length() {
      return held.size;
    },
    key: (index: number) => [...held.keys()][index] ?? null,
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, value: string) => void held.set(name, value),
    removeItem: (name: string) => void held.delete(name),
  });
  held = new Map();
  vi.stubGlobal('location', { origin: 'http://127.0.0.1' });
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('document', {});
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('BroadcastChannel', EventTarget);
  vi.stubGlobal('fetch', answerOf);
  const { chainId, gasDenom, minGasPrice, namespace, stableDenom } = chain.chain.facts;
  facts = {
    ...{ chain_id: chainId, evm_chain_id: null, hrp: 'aeva', namespace, names: [] },
    ...{ gas_denom: gasDenom, gas_decimals: 18, gas_symbol: 'AEVA', min_gas_price: String(minGasPrice) },
    ...{ stable_denom: stableDenom, stable_decimals: 6, stable_symbol: 'USD' },
    ...{ evm_rpc_url: null, contracts: null },
  };
  kept = {
    ...{ kind: 'burner', address: ADDRESS, evmAddress: evmAddressOf(FAUCET), chainId },
    privateKey: Buffer.from(FAUCET.privateKey).toString('hex'),
  };
  const { useSigning } = await import('../../../web/src/sign/use-signing.ts');
  Probe = ({ action }) => {
    panel = useSigning(action, 'Launch the asset', kept, facts, {
      onSent: () => void told.push('sent'),
      onRefused: () => void told.push('refused'),
      onDone: () => void told.push('done'),
    });
    return null;
  };
}, 60_000);
afterAll(async () => {
  vi.unstubAllGlobals();
  await chain.close();
});
beforeEach(() => {
  [held, broadcasts, told, panel] = [new Map(), [], [], undefined];
  [relay, indexed] = [undefined, []];
  mayAnswer = new Promise((resolve) => {
    answer = resolve;
  });
  root = { childNodes: [], firstChild: null } as unknown as ContainerNode;
});
afterEach(() => {
  answer();
  render(null, root);
});

const pay = (amount: string): Action => ({
  messages: [
    {
      '@type': '/cosmos.bank.v1beta1.MsgSend',
      ...{ from_address: ADDRESS, to_address: TO, amount: [{ denom: 'uusd', amount }] },
    },
  ],
});
const show = (action: Action) => render(h(Probe, { action }), root);
const stage = () => panel?.stage;

/** Resolves once effects of everything that was shown so far have run. */
async function effectsHaveRun(): Promise<void> {
  const marker: ContainerNode = { childNodes: [], firstChild: null } as unknown as ContainerNode;
  const { useEffect } = await import('preact/hooks');
  await new Promise<void>((resolve) => {
    const Marker = () => {
      useEffect(resolve, []);
      return null;
    };
    render(h(Marker, {}), marker);
  });
}

describe('a panel whose form makes another action', () => {
  it('prepares that one as long as nothing was signed', async () => {
    show(pay('1'));
    await expect.poll(() => stage()?.at).toBe('review');
    show(pay('2'));
    // the button that is still on the screen signs neither
    panel?.sign();
    await expect
      .poll(() => stage())
      .toMatchObject({ at: 'review', tx: { content: { messages: pay('2').messages } } });
    expect(broadcasts).toEqual([]);
  });

  it('stays with the first from the click on, while its answer hangs and afterwards', async () => {
    show(pay('1'));
    await expect.poll(() => stage()?.at).toBe('review');
    panel?.sign();
    show(pay('2'));
    await effectsHaveRun();
    expect(stage()?.at).toBe('signing');
    await expect.poll(() => broadcasts.length).toBe(1);
    show(pay('3'));
    await effectsHaveRun();
    expect(stage()?.at).toBe('signing');
    answer();
    await expect.poll(() => stage()?.at).toBe('following');
    show(pay('4'));
    await effectsHaveRun();
    expect(stage()).toMatchObject({
      at: 'following',
      isEarlier: false,
      pending: { title: 'Launch the asset' },
    });
    expect(broadcasts).toHaveLength(1);
    expect(new Set(told)).toEqual(new Set(['sent']));
  });

  it('stays with the one that it found on its way, after a reload', async () => {
    show(pay('1'));
    await expect.poll(() => stage()?.at).toBe('review');
    panel?.sign();
    answer();
    await expect.poll(() => stage()?.at).toBe('following');
    render(null, root);
    told = [];
    show(pay('1'));
    await expect.poll(() => stage()?.at).toBe('following');
    show(pay('2'));
    await effectsHaveRun();
    expect(stage()).toMatchObject({ at: 'following', isEarlier: false });
    expect(told).toEqual(['sent']);
    expect(broadcasts).toHaveLength(1);
  });
});

describe('a panel whose tx is refused', () => {
  const REFUSED = { hash: '', codespace: 'sdk', code: 5, log: 'insufficient funds' };
  const sequenceOf = (tx: string | undefined) => {
    const { codec } = chain.devnet.app;
    const raw = codec.decode('/cosmos.tx.v1beta1.TxRaw', Buffer.from(tx ?? '', 'base64'));
    const auth = Buffer.from(String(raw.auth_info_bytes), 'base64');
    const { signer_infos } = codec.decode('/cosmos.tx.v1beta1.AuthInfo', auth);
    return (signer_infos as readonly { readonly sequence: string }[])[0]?.sequence;
  };
  beforeEach(async () => {
    // what the test before has left in the mempool
    await chain.devnet.produceBlock();
    answer();
  });

  async function signed(action: Action): Promise<void> {
    show(action);
    await expect.poll(() => stage()?.at).toBe('review');
    panel?.sign();
    await expect.poll(() => stage()).toMatchObject({ at: 'stopped', stop: { needsCoins: true } });
  }

  it('shows that a block has it where a relay lied, and signs nothing again', async () => {
    relay = async (tx) => {
      indexed.push((await chain.chain.node.broadcast(tx)).hash);
      await chain.devnet.produceBlock();
      return REFUSED;
    };
    await signed(pay('1'));
    expect(told).toEqual(['sent', 'refused']);
    panel?.again();
    await expect.poll(() => stage()).toMatchObject({ at: 'following', progress: { at: 'indexed' } });
    expect(told).toEqual(['sent', 'refused', 'sent', 'done']);
    expect([broadcasts.length, held.size]).toEqual([1, 0]);
  });

  it('signs the next one with its sequence, and keeps both', async () => {
    relay = async () => REFUSED;
    await signed(pay('1'));
    show(pay('2'));
    relay = undefined;
    panel?.again();
    await expect.poll(() => stage()?.at).toBe('review');
    panel?.sign();
    await expect.poll(() => stage()?.at).toBe('following');
    expect(broadcasts.map(sequenceOf)).toEqual([sequenceOf(broadcasts[0]), sequenceOf(broadcasts[0])]);
    const [kept = ''] = held.values();
    expect(JSON.parse(kept)).toMatchObject({ earlier: [{ isRefused: true }] });
  });
});
