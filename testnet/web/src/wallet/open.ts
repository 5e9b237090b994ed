import type { ChainFacts } from '../data/chain.ts';
import { bech32Of, evmAddressOf } from './address.ts';
import { burnerWallet } from './burner.ts';
import { type BurnerKey, burnerKeyOf } from './burner-key.ts';
import { connectInjected, type InjectedProvider } from './injected.ts';
import { connectKeplr, type KeplrProvider } from './keplr.ts';
import type { KeptWallet } from './kept.ts';
import { sealedSigner } from './sealed-signer.ts';
import { type Wallet, WalletError } from './wallet.ts';

declare global {
  interface Window {
    readonly keplr?: KeplrProvider;
    readonly ethereum?: InjectedProvider;
  }
}

/** What is kept of a burner's key by who chose to have no passphrase. */
export function clearBurnerOf(key: BurnerKey, { hrp, chain_id: chainId }: ChainFacts): KeptWallet {
  return {
    kind: 'burner',
    address: bech32Of(hrp, key.account),
    evmAddress: evmAddressOf(key.account),
    chainId,
    privateKey: key.privateKey,
    isClearByChoice: true,
  };
}

/** Asks an extension of the browser for its account. Errors: WalletError. */
export async function connect(kind: 'keplr' | 'injected', chain: ChainFacts): Promise<Wallet> {
  if (kind === 'keplr') return await connectKeplr(window.keplr, chain.chain_id, chain.hrp);
  if (chain.evm_chain_id === null) throw new WalletError('failed', 'This chain has no EVM.');
  return await connectInjected(window.ethereum, {
    chainId: BigInt(chain.evm_chain_id),
    name: chain.chain_id,
    symbol: chain.gas_symbol,
    rpcUrl: chain.evm_rpc_url,
    hrp: chain.hrp,
  });
}

/** The wallet that the device remembers, ready to sign. Errors: WalletError, AskError. */
export async function openWallet(kept: KeptWallet, chain: ChainFacts): Promise<Wallet> {
  if (kept.kind === 'burner') {
    const signer = kept.sealed === undefined ? burnerKeyOf(kept.privateKey ?? '') : sealedSigner(kept);
    if (signer === undefined) throw new WalletError('failed', 'The key that is kept here cannot be read.');
    return burnerWallet(signer, chain.hrp);
  }
  const opened = await connect(kept.kind, chain);
  if (opened.address === kept.address) return opened;
  throw new WalletError(
    'other_account',
    `The account that is chosen there is ${opened.address} now. Connect it again on the wallet page.`,
  );
}
