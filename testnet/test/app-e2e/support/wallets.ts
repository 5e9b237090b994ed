/** Stand-ins of wallets' extensions: they run in the page and hand every signature to this process. */

interface KeplrLent {
  keplr: unknown;
  strataKeplr(): Promise<{ readonly publicKey: string; readonly address: string }>;
  strataKeplrSign(body: string, auth: string, chainId: string, accountNumber: string): Promise<string>;
}

/** As much of Keplr as the pages use: https://docs.keplr.app/api */
export function keplrStandIn(): void {
  const own = globalThis as unknown as KeplrLent;
  const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const hex = (given: Uint8Array) => Array.from(given, (byte) => byte.toString(16).padStart(2, '0')).join('');
  interface Document {
    readonly bodyBytes: Uint8Array;
    readonly authInfoBytes: Uint8Array;
    readonly accountNumber: bigint;
  }
  own.keplr = {
    enable: async () => undefined,
    getKey: async () => {
      const { publicKey, address } = await own.strataKeplr();
      return { algo: 'secp256k1', pubKey: bytes(publicKey), address: bytes(address) };
    },
    signDirect: async (chainId: string, _signer: string, document: Document) => {
      const { bodyBytes, authInfoBytes, accountNumber } = document;
      const signature = await own.strataKeplrSign(
        hex(bodyBytes),
        hex(authInfoBytes),
        chainId,
        String(accountNumber),
      );
      return { signed: { bodyBytes, authInfoBytes }, signature: { signature } };
    },
  };
}

interface EthereumLent {
  ethereum: unknown;
  strataEthereum(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** EIP-1193. */
export function ethereumStandIn(): void {
  const own = globalThis as unknown as EthereumLent;
  own.ethereum = {
    request: ({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
      own.strataEthereum(method, params),
  };
}
