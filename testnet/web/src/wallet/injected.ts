import { hex } from '@scure/base';
import { bech32Of, evmAddressOf } from './address.ts';
import { type EthereumWallet, WalletError } from './wallet.ts';

/** `window.ethereum` (EIP-1193). */
export interface InjectedProvider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

/** What a wallet is told of a chain that it does not know (EIP-3085). */
export interface EthereumChain {
  /** EIP-155. */
  readonly chainId: bigint;
  readonly name: string;
  readonly symbol: string;
  /** Ethereum's JSON-RPC; null: there is none to add the chain with. */
  readonly rpcUrl: string | null;
  /** Of bech32 addresses. */
  readonly hrp: string;
}

/** EIP-3085: the wallet does not know the chain. */
const UNKNOWN_CHAIN = 4902;
/** EIP-1193 */
const DECLINED = 4001;
/** EIP-1193 and JSON-RPC: not authorised, not supported, not connected, no request as it should be. Then nothing was signed. */
const NOT_BEGUN: readonly unknown[] = [4100, 4200, 4900, 4901, -32600, -32601, -32602];

/** The account that the wallet lends, on this chain. Errors: WalletError. */
export async function connectInjected(
  provider: InjectedProvider | undefined,
  chain: EthereumChain,
): Promise<EthereumWallet> {
  if (provider === undefined) {
    throw new WalletError(
      'missing',
      'No Ethereum wallet is here. Install its extension and load this page again.',
    );
  }
  const account = await accountOf(provider);
  await useChain(provider, chain);
  const evmAddress = evmAddressOf(account);
  return {
    kind: 'injected',
    signs: 'ethereum',
    address: bech32Of(chain.hrp, account),
    evmAddress,
    async send({ to, value, data }) {
      // the person may have changed both since
      const now = evmAddressOf(await accountOf(provider));
      if (now !== evmAddress) {
        throw new WalletError(
          'other_account',
          `The wallet's account is ${now} now. Connect it again on the wallet page.`,
        );
      }
      await useChain(provider, chain);
      const call = { from: evmAddress, to, value: quantity(value), data };
      const hash = await asked(provider, call);
      if (typeof hash === 'string' && /^0x[0-9a-fA-F]{64}$/.test(hash)) return hash.toLowerCase();
      throw new WalletError('unknown', 'The wallet gave no hash of the transaction.');
    },
  };
}

async function accountOf(provider: InjectedProvider): Promise<Uint8Array> {
  const accounts = await ask(provider, 'eth_requestAccounts');
  const [first] = Array.isArray(accounts) ? accounts : [];
  if (typeof first === 'string' && /^0x[0-9a-fA-F]{40}$/.test(first)) {
    return hex.decode(first.slice(2).toLowerCase());
  }
  throw new WalletError('failed', 'The wallet lends no account.');
}

async function useChain(provider: InjectedProvider, chain: EthereumChain): Promise<void> {
  const chainId = quantity(chain.chainId);
  if ((await ask(provider, 'eth_chainId')) === chainId) return;
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
  } catch (error) {
    if (codeOf(error) !== UNKNOWN_CHAIN) throw refusal(error);
    if (chain.rpcUrl === null) {
      throw new WalletError(
        'failed',
        "The wallet does not know this chain, and the app does not say where the chain's Ethereum RPC is. Add the chain in the wallet by hand.",
      );
    }
    const added = {
      chainId,
      chainName: chain.name,
      nativeCurrency: { name: chain.symbol, symbol: chain.symbol, decimals: 18 },
      rpcUrls: [chain.rpcUrl],
    };
    await ask(provider, 'wallet_addEthereumChain', [added]);
  }
  if ((await ask(provider, 'eth_chainId')) !== chainId) {
    throw new WalletError('failed', `The wallet is on another chain. Switch it to ${chain.name}.`);
  }
}

async function ask(
  provider: InjectedProvider,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  try {
    return await provider.request({ method, params });
  } catch (error) {
    throw refusal(error);
  }
}

/** Errors: WalletError `unknown` where the wallet may have sent it: its node may have lost the answer. */
async function asked(provider: InjectedProvider, call: object): Promise<unknown> {
  try {
    return await provider.request({ method: 'eth_sendTransaction', params: [call] });
  } catch (error) {
    const refused = refusal(error);
    if (refused.kind === 'declined' || NOT_BEGUN.includes(codeOf(error))) throw refused;
    throw new WalletError('unknown', refused.message);
  }
}

function refusal(error: unknown): WalletError {
  if (codeOf(error) === DECLINED) return new WalletError('declined', 'You declined it in the wallet.');
  const { message } = (error ?? {}) as { readonly message?: unknown };
  const reason = typeof message === 'string' ? message : String(error);
  return new WalletError('failed', `The wallet refuses. It says: ${reason}`);
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

function quantity(value: bigint): string {
  return `0x${value.toString(16)}`;
}
