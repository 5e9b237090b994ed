import { WalletError } from '../wallet/wallet.ts';

/**
 * Signs with an account in one tab at a time. A page without https has no locks; there the tx that a tab has written down
 * before it sends it (pending.ts) is what the others see. Errors: WalletError while another tab signs.
 */
export async function alone<T>(address: string, act: () => Promise<T>): Promise<T> {
  if (navigator.locks === undefined) return await act();
  return await navigator.locks.request(`strata.sign.${address}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) {
      throw new WalletError(
        'failed',
        'Another tab of this browser is signing with this account. Finish there first.',
      );
    }
    return await act();
  });
}
