import { encodeBech32 } from 'strata-kit/address';
import { utf8ToBytes } from 'strata-kit/bytes';
import { derivedModuleAddress } from '../app/address.ts';
import { collection, type Reader, type State } from '../state/state.ts';

/**
 * The escrow accounts of bridge routes: they receive from a TransferOut alone, income excepted. Whoever lets an account
 * receive units or coins by a message of its own (a send, a transfer, an issue, a settlement) asks `isEscrow` first. The
 * register stands here, below every module, so that bank and rights ask without knowing the bridge.
 */

/** The route's id by the escrow's address. */
export const escrows = collection<string>('bridge/escrows');

/** Whether nobody but the bridge may send to this address. */
export function isEscrow(reader: Reader, address: string): boolean {
  return reader.get(escrows, address) !== undefined;
}

export function registerEscrow(state: State, address: string, routeId: string): void {
  state.set(escrows, address, routeId);
}

/** 32 bytes: the module address of `bridge` and the route's id (ADR-028 of the Cosmos SDK). */
export function escrowAddress(hrp: string, routeId: string): string {
  return encodeBech32(hrp, derivedModuleAddress('bridge', utf8ToBytes(routeId)));
}
