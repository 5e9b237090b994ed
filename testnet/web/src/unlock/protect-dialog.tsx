import { offerLater, wallet } from '../wallet/in-use.ts';
import { openDialog } from './dialog.tsx';
import { KeepKey } from './keep-key.tsx';

/** Offers a passphrase to who has a key of before there were any. Closing it decides nothing: another visit asks again. */
export async function openProtectDialog(): Promise<void> {
  const clear = wallet.value;
  if (clear?.privateKey === undefined) return;
  await openDialog('Protect your burner wallet', (close) => (
    <KeepKey clear={clear} instead={clear} onKept={close} onCancel={close} cancel="Later" />
  ));
  offerLater();
}
