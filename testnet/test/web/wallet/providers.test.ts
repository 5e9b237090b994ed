import { bech32Of, evmAddressOf as evm, keyFromSeed } from 'strata-kit/client/keys';
import { describe, expect, it } from 'vitest';
import { nativeTransfer, tokenTransfer } from '../../../web/src/wallet/ethereum-call.ts';
import { connectInjected, type EthereumChain } from '../../../web/src/wallet/injected.ts';
import { connectKeplr, type KeplrProvider } from '../../../web/src/wallet/keplr.ts';
import { whyNot } from '../../../web/src/wallet/wallet.ts';

/** Stand-ins of the extensions: nothing here was tried against the extensions themselves. */

const key = keyFromSeed('eth_secp256k1', 'strata/test/providers');
const other = keyFromSeed('eth_secp256k1', 'strata/test/providers/other');
const CHAIN: EthereumChain = {
  chainId: 9_111n,
  name: 'aeva_9111-1',
  symbol: 'AEVA',
  rpcUrl: 'http://127.0.0.1:8545',
  hrp: 'aeva',
};

class RpcRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

function standIn({ knows = true, declines = '', hash = `0x${'ab'.repeat(32)}` } = {}) {
  const state = { chain: '0x1', known: knows, account: evm(key).toLowerCase() };
  const asked: { readonly method: string; readonly params: readonly unknown[] }[] = [];
  return {
    state,
    asked,
    async request({
      method,
      params = [],
    }: {
      method: string;
      params?: readonly unknown[];
    }): Promise<unknown> {
      asked.push({ method, params });
      if (method === declines) throw new RpcRefusal(4_001, 'User rejected the request.');
      switch (method) {
        case 'eth_requestAccounts':
          return [state.account];
        case 'eth_chainId':
          return state.chain;
        case 'wallet_switchEthereumChain':
          if (!state.known) throw new RpcRefusal(4_902, 'Unrecognized chain ID');
          state.chain = '0x2397';
          return null;
        case 'wallet_addEthereumChain':
          state.known = true;
          state.chain = '0x2397';
          return null;
        case 'eth_sendTransaction':
          return hash;
        default:
          throw new RpcRefusal(4_200, `no method ${method}`);
      }
    },
  };
}

describe('an injected Ethereum wallet (stand-in)', () => {
  it('is connected under both names of its account, on this chain', async () => {
    const provider = standIn();
    const wallet = await connectInjected(provider, CHAIN);
    expect(wallet).toMatchObject({ address: bech32Of('aeva', key), evmAddress: evm(key), kind: 'injected' });
    expect(provider.asked.map(({ method }) => method)).not.toContain('wallet_addEthereumChain');
    expect(provider.state.chain).toBe('0x2397');
  });

  it('is told of a chain that it does not know, where there is an RPC to tell of', async () => {
    const provider = standIn({ knows: false });
    await connectInjected(provider, CHAIN);
    expect(provider.asked.find(({ method }) => method === 'wallet_addEthereumChain')?.params).toEqual([
      {
        chainId: '0x2397',
        chainName: 'aeva_9111-1',
        nativeCurrency: { name: 'AEVA', symbol: 'AEVA', decimals: 18 },
        rpcUrls: ['http://127.0.0.1:8545'],
      },
    ]);
    const refused = connectInjected(standIn({ knows: false }), { ...CHAIN, rpcUrl: null });
    await expect(refused).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('by hand'),
    });
  });

  it('sends from the account that was connected, and from no other', async () => {
    const provider = standIn();
    const wallet = await connectInjected(provider, CHAIN);
    const call = tokenTransfer(new Uint8Array(20).fill(0x22), other.address, 258n);
    expect(await wallet.send(call)).toBe(`0x${'ab'.repeat(32)}`);
    expect(provider.asked.at(-1)).toEqual({
      method: 'eth_sendTransaction',
      params: [
        {
          from: evm(key),
          to: '0x2222222222222222222222222222222222222222',
          value: '0x0',
          data: `0xa9059cbb${'00'.repeat(12)}${Buffer.from(other.address).toString('hex')}${'0102'.padStart(64, '0')}`,
        },
      ],
    });
    provider.state.account = evm(other);
    await expect(wallet.send(call)).rejects.toMatchObject({ kind: 'other_account' });
    expect(provider.asked.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(1);
  });

  it('tells what was declined from what failed, and that it is missing', async () => {
    const declined = connectInjected(standIn({ declines: 'eth_requestAccounts' }), CHAIN);
    await expect(declined).rejects.toMatchObject({ kind: 'declined' });
    const notSwitched = connectInjected(standIn({ declines: 'wallet_switchEthereumChain' }), CHAIN);
    await expect(notSwitched).rejects.toMatchObject({ kind: 'declined' });
    await expect(connectInjected(undefined, CHAIN)).rejects.toMatchObject({ kind: 'missing' });
    const wallet = await connectInjected(standIn({ hash: 'sent' }), CHAIN);
    await expect(wallet.send(nativeTransfer(other.address, 1n))).rejects.toMatchObject({ kind: 'unknown' });
  });

  it.each([
    [4_001, 'declined'],
    [-32_602, 'failed'],
    // what MetaMask says when its node did not answer, which may have taken the tx
    [-32_603, 'unknown'],
  ])('that answers %i to a tx is told as %s', async (code, kind) => {
    const one = standIn();
    const wallet = await connectInjected(
      {
        request: (call) =>
          call.method === 'eth_sendTransaction'
            ? Promise.reject(new RpcRefusal(code, 'no'))
            : one.request(call),
      },
      CHAIN,
    );
    await expect(wallet.send(nativeTransfer(other.address, 1n))).rejects.toMatchObject({ kind });
  });

  it('may do what an Ethereum tx says, and nothing else', () => {
    expect(whyNot('injected', { messages: [] })).toContain('burner');
    expect(whyNot('injected', { messages: [], ethereum: nativeTransfer(other.address, 1n) })).toBeUndefined();
    expect(whyNot('keplr', { messages: [] })).toBeUndefined();
  });
});

describe('Keplr (stand-in)', () => {
  const DOCUMENT = {
    bodyBytes: Uint8Array.of(1),
    authInfoBytes: Uint8Array.of(2),
    chainId: 'aeva_9111-1',
    accountNumber: 5n,
  };
  const keplr = (changes: Partial<KeplrProvider> = {}): KeplrProvider => ({
    enable: async () => undefined,
    getKey: async () => ({ algo: 'ethsecp256k1', pubKey: key.publicKey, address: key.address }),
    signDirect: async (_chain, _signer, { bodyBytes }) => ({
      // a wallet may change what it signs, and what it gives back is what counts
      signed: { bodyBytes, authInfoBytes: Uint8Array.of(9) },
      signature: { signature: Buffer.alloc(64, 3).toString('base64') },
    }),
    ...changes,
  });

  it('gives its account and the type of its key, and signs what it gives back', async () => {
    const wallet = await connectKeplr(keplr(), 'aeva_9111-1', 'aeva');
    expect(wallet).toMatchObject({ address: bech32Of('aeva', key), evmAddress: evm(key) });
    expect(wallet.publicKey['@type']).toBe('/cosmos.evm.crypto.v1.ethsecp256k1.PubKey');
    const signed = await wallet.sign(DOCUMENT);
    expect([...signed.authInfoBytes]).toEqual([9]);
    expect([...signed.signature]).toEqual(new Array(64).fill(3));
    const cosmos = keplr({
      getKey: async () => ({ algo: 'secp256k1', pubKey: key.publicKey, address: key.address }),
    });
    const { publicKey } = await connectKeplr(cosmos, 'aeva_9111-1', 'aeva');
    expect(publicKey['@type']).toBe('/cosmos.crypto.secp256k1.PubKey');
  });

  it('tells what was declined, a chain that it does not know, and that it is missing', async () => {
    const unknown = keplr({
      enable: () => Promise.reject(new Error('There is no chain info for aeva_9111-1')),
    });
    await expect(connectKeplr(unknown, 'aeva_9111-1', 'aeva')).rejects.toThrow(/Add it to Keplr/);
    const declining = keplr({ signDirect: () => Promise.reject(new Error('Request rejected')) });
    const wallet = await connectKeplr(declining, 'aeva_9111-1', 'aeva');
    await expect(wallet.sign(DOCUMENT)).rejects.toMatchObject({ kind: 'declined' });
    await expect(connectKeplr(undefined, 'aeva_9111-1', 'aeva')).rejects.toMatchObject({ kind: 'missing' });
  });
});
