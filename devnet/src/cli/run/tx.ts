import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ChainError } from 'strata-kit/chain-error';
import type { WordsContext } from 'strata-kit/cli/words';
import { inputError } from 'strata-kit/client/errors';
import { openKeyring } from 'strata-kit/client/keyring';
import { bech32Of } from 'strata-kit/client/keys';
import type { GivenWords } from 'strata-kit/client/messages';
import { withNewAsset } from 'strata-kit/client/new-asset';
import { connectNode, type Node } from 'strata-kit/client/node';
import { openPending } from 'strata-kit/client/pending';
import { type PreparedTx, prepareTx } from 'strata-kit/client/prepare';
import { type Codec, openCodec } from 'strata-kit/codec/codec';
import type { JsonObject } from 'strata-kit/proto-json';
import { printDryRun, printPending } from './tx-answer.ts';
import { followTx } from './tx-follow.ts';
import { type TxOptions, txOptions } from './tx-options.ts';
import { requireDecided } from './tx-pending.ts';
import { sendTx } from './tx-send.ts';
import { namespaceOf, parseTxWords, type TxPart } from './tx-words.ts';

/** strata tx: signs the operations of a command line as one tx, sends it and reports its inclusion. */
export async function tx(words: readonly string[], context: WordsContext): Promise<void> {
  if (words[0] === 'follow') return await followTx(words.slice(1), context);
  const codec = openCodec({ namespace: namespaceOf(words) });
  const { parts, options: given } = parseTxWords(words, codec, context);
  const options = txOptions(given);
  const key = openKeyring(join(resolve(context.cwd, options.home), 'keys')).get(options.from);
  const { signal } = context;
  const node = connectNode(options.node, signal === undefined ? {} : { signal });
  const signer = bech32Of(options.hrp, key);
  const pending = openPending(join(resolve(context.cwd, options.home), 'pending'));
  if (!options.isDryRun) requireDecided(pending, signer, options.sequence);
  const written = await messagesOf(parts, signer, codec, node, context.cwd);
  const prepared = await orRefusal(options, context, async () => {
    const messages = await withNewAsset(codec, node, written, key, options.hrp);
    return prepareTx(codec, node, { ...options, messages, key });
  });
  if (prepared === undefined) return;
  if (options.isDryRun) printDryRun(codec, prepared, context.print);
  else await sendTx({ codec, node, pending, address: signer }, prepared, options, context);
}

/** What the chain refuses before anything is sent is reported as a tx that failed. */
async function orRefusal(
  { isJson }: TxOptions,
  { print, fail }: WordsContext,
  prepare: () => Promise<PreparedTx>,
): Promise<PreparedTx | undefined> {
  try {
    return await prepare();
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    const { code, codespace, message } = error;
    printPending(undefined, { code, codespace, log: message }, isJson, print);
    fail();
    return undefined;
  }
}

async function messagesOf(
  parts: readonly TxPart[],
  signer: string,
  codec: Codec,
  node: Node,
  cwd: string,
): Promise<readonly JsonObject[]> {
  // the chain's clock may be another than this machine's
  const isRelative = parts.some((part) => part.kind === 'operation' && hasRelativeTime(part.given));
  const nowNs = isRelative ? (await node.status()).timeNs : 0n;
  return parts.flatMap((part) =>
    part.kind === 'raw'
      ? rawMessages(resolve(cwd, part.file), codec)
      : [part.form.message(part.given, signer, { nowNs })],
  );
}

function rawMessages(path: string, codec: Codec): readonly JsonObject[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw inputError(`${path} cannot be read as JSON: ${reason}`);
  }
  const messages: readonly JsonObject[] = Array.isArray(value) ? value : [value];
  if (messages.length === 0) throw inputError(`${path} holds no message`);
  for (const message of messages) codec.anyFromJson(message);
  return messages;
}

function hasRelativeTime({ words, options }: GivenWords): boolean {
  return [...words, ...Object.values(options).flat()].some((word) => word.startsWith('+'));
}
