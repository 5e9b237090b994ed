import type { BurnerKey } from '../wallet/burner-key.ts';
import type { KeptWallet } from '../wallet/kept.ts';
import { holdInTab } from '../wallet/tab-key.ts';
import { WalletError } from '../wallet/wallet.ts';
import { openDialog } from './dialog.tsx';
import { PassphraseForm } from './passphrase-form.tsx';

/** Dialogs that are open, by the envelope that they open. */
const asking = new Map<string | undefined, Promise<BurnerKey>>();

/** The key of a locked wallet, which stays unlocked in this tab. One dialog for all who ask. Errors: WalletError declined. */
export function askForPassphrase(kept: KeptWallet): Promise<BurnerKey> {
  const box = kept.sealed?.box;
  const open = asking.get(box) ?? ask(kept).finally(() => asking.delete(box));
  asking.set(box, open);
  return open;
}

async function ask(kept: KeptWallet): Promise<BurnerKey> {
  let key: BurnerKey | undefined;
  await openDialog('Unlock the wallet', (close) => (
    <PassphraseForm
      kept={kept}
      button="Unlock"
      onOpened={(opened) => {
        key = opened;
        close();
      }}
      onCancel={close}
    />
  ));
  if (key === undefined) throw new WalletError('declined', 'The wallet stayed locked. Nothing was signed.');
  holdInTab(kept, key);
  return key;
}
