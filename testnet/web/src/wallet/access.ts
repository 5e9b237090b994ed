import { base64, hex } from '@scure/base';
import { askApp } from '../data/client.ts';
import type { ChainAccess, Refusal } from './prepare.ts';

/** After so long without an answer it is lost: the tx is followed then. */
const BROADCAST_MS = 15_000;

/** The chain's node, which the app stands before. */
export const chainAccess: ChainAccess = {
  async query(path, data) {
    const query = new URLSearchParams({ path, data: hex.encode(data) });
    const { value, ...told } = await askApp<Refusal & { readonly height: number; readonly value: string }>(
      `/api/chain/query?${query}`,
    );
    return { ...told, value: base64.decode(value) };
  },
  broadcast: (tx) =>
    askApp('/api/chain/broadcast', { tx: base64.encode(tx) }, AbortSignal.timeout(BROADCAST_MS)),
};
