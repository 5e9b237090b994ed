import type { Included, Refusal } from 'strata-kit/client/node';
import type { PreparedTx } from 'strata-kit/client/prepare';
import { signDocBytes } from 'strata-kit/client/sign-direct';
import { signDocument } from 'strata-kit/client/tx';
import type { Codec } from 'strata-kit/codec/codec';

/** What `strata tx` prints. */

type Print = (line: string) => void;

/** What would be signed: the SignDoc with its parts as proto-JSON, and its bytes. */
export function printDryRun(codec: Codec, { content, signer, chainId }: PreparedTx, print: Print): void {
  const document = signDocument(codec, content, [signer]);
  const bytes = signDocBytes(document, chainId, signer.accountNumber);
  const shown = {
    chain_id: chainId,
    account_number: String(signer.accountNumber),
    body: codec.decode('/cosmos.tx.v1beta1.TxBody', document.bodyBytes),
    auth_info: codec.decode('/cosmos.tx.v1beta1.AuthInfo', document.authInfoBytes),
    sign_doc: Buffer.from(bytes).toString('base64'),
  };
  print(JSON.stringify(shown, null, 2));
}

/** Before it is sent, so that whatever happens then can be looked up. */
export function printHash(hash: string, isJson: boolean, print: Print, note: Print): void {
  if (isJson) note(`sends ${hash}`);
  else print(`hash      ${hash}`);
}

/** A tx that no block holds: refused by a simulation or a mempool, or sent without waiting for its block. */
export function printPending(
  hash: string | undefined,
  refusal: Refusal,
  isJson: boolean,
  print: Print,
): void {
  const { code, codespace, log } = refusal;
  if (isJson) {
    print(JSON.stringify({ hash: hash ?? null, height: null, code, codespace, log }, null, 2));
    return;
  }
  printOutcome(refusal, print);
}

export function printIncluded(tx: Included, isJson: boolean, print: Print): void {
  const { hash, height, code, codespace, log, gasWanted, gasUsed, events } = tx;
  if (isJson) {
    const shown = {
      hash,
      height,
      code,
      codespace,
      log,
      gas_wanted: String(gasWanted),
      gas_used: String(gasUsed),
      events: events.map(({ type, attributes }) => ({
        type,
        attributes: attributes.map(([key, value]) => ({ key, value })),
      })),
    };
    print(JSON.stringify(shown, null, 2));
    return;
  }
  print(`height    ${height}`);
  printOutcome(tx, print);
  print(`gas       ${gasUsed} of ${gasWanted}`);
  for (const { type, attributes } of events) {
    const message = attributes.find(([key]) => key === 'msg_index')?.[1];
    print(`event     ${type}${message === undefined ? '' : ` (message ${message})`}`);
    for (const [key, value] of attributes) if (key !== 'msg_index') print(`  ${key} = ${plain(value)}`);
  }
}

function printOutcome({ code, codespace, log }: Refusal, print: Print): void {
  print(`code      ${code}`);
  if (code === 0) return;
  print(`codespace ${codespace}`);
  print(`log       ${log}`);
}

/** A text of proto-JSON without its quotes; everything else as it stands. One line, without control characters. */
function plain(value: string): string {
  let text = value;
  if (/^".*"$/s.test(value)) {
    try {
      text = String(JSON.parse(value));
    } catch {
      // no proto-JSON: as it stands
    }
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, (char) => JSON.stringify(char).slice(1, -1));
}
