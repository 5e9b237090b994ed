import type { BurnerKey } from '../wallet/burner-key.ts';
import { settleWallet } from '../wallet/in-use.ts';
import type { KeptWallet } from '../wallet/kept.ts';
import { holdInTab } from '../wallet/tab-key.ts';
import { WalletError } from '../wallet/wallet.ts';
import { openDialog } from './dialog.tsx';
import { OpenKey } from './open-key.tsx';

/** Unlocks the wallet in this tab. The dialog closes with `signal`. Errors: WalletError declined. */
export async function askForPassphrase(kept: KeptWallet, signal: AbortSignal): Promise<void> {
  let key: BurnerKey | undefined;
  await openDialog(
    'Unlock the wallet',
    (close) => (
      <OpenKey
        kept={kept}
        button="Unlock"
        onOpened={(opened) => {
          key = opened;
          close();
        }}
        onCancel={close}
      />
    ),
    signal,
  );
  if (key === undefined || signal.aborted)
    throw new WalletError('declined', 'The wallet stayed locked. Nothing was signed.');
  holdInTab(kept, key);
  await settleWallet(kept, key.privateKey);
}
