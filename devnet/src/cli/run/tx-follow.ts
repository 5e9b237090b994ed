import { join, resolve } from 'node:path';
import { type WordsContext, wordsParser } from 'strata-kit/cli/words';
import type { Answer } from 'strata-kit/client/broadcast';
import { ClientError, inputError } from 'strata-kit/client/errors';
import { connectNode } from 'strata-kit/client/node';
import { openPending, type PendingTx } from 'strata-kit/client/pending';
import { openCodec } from 'strata-kit/codec/codec';
import { StrataError } from 'strata-kit/errors';
import { DEFAULT_HOME, DEFAULT_NAMESPACE, DEFAULT_NODE } from '../chain-user.ts';
import { printHash, printIncluded } from './tx-answer.ts';
import { nodeUrl, waitMs } from './tx-options.ts';
import { decide } from './tx-send.ts';

interface FollowFlags {
  readonly node: string;
  readonly home: string;
  readonly wait?: string;
  readonly namespace: string;
  readonly json?: true;
}

/** strata tx follow: the inclusion status of a tx that was sent before. Errors: tx_undecided, tx_not_included, node_…. */
export async function followTx(words: readonly string[], context: WordsContext): Promise<void> {
  const command = wordsParser('strata tx follow', context)
    .description(
      'the inclusion status of a tx that was sent before; sends the same bytes again where that helps',
    )
    .argument('<hash>', '64 hex digits')
    .option('--node <url>', 'CometBFT RPC of a node', DEFAULT_NODE)
    .option('--home <folder>', 'the folder of the devnet, with the txs that are not decided', DEFAULT_HOME)
    .option('--wait <s>', 'seconds to wait for a decision, 0 for one look (default: 30)')
    .option('--namespace <word>', 'first segment of type URLs', DEFAULT_NAMESPACE)
    .option('--json', 'print JSON');
  command.parse([...words], { from: 'user' });
  const hash = String(command.args[0]).toUpperCase();
  if (!/^[0-9A-F]{64}$/.test(hash)) throw inputError('a hash is 64 hex digits');
  const flags = command.opts<FollowFlags>();
  const { signal } = context;
  const node = connectNode(nodeUrl(flags.node), signal === undefined ? {} : { signal });
  const pending = openPending(join(resolve(context.cwd, flags.home), 'pending'));
  const wait = { waitMs: waitMs(flags.wait), isJson: flags.json === true };
  const tx = pending.find(hash);
  printHash(hash, wait.isJson, context.print, context.note);
  if (tx === undefined) {
    const found = await node.tx(hash);
    if (found === undefined) {
      throw new StrataError(
        'tx_undecided',
        `the node's index has no block with ${hash}, and ${resolve(context.cwd, flags.home)} has no such tx`,
      );
    }
    printIncluded(found, wait.isJson, context.print);
    if (found.code !== 0) context.fail();
    return;
  }
  const { chainId } = await node.status();
  if (chainId !== tx.chainId) throw inputError(`the node's chain is ${chainId}, the tx is for ${tx.chainId}`);
  const codec = openCodec({ namespace: flags.namespace });
  await decide({ codec, node, pending }, tx, answerTo(tx), wait, context);
}

/** What is refused is not sent again. */
function answerTo({ refusal }: PendingTx): Answer {
  if (refusal !== undefined) return { kind: 'refused', ...refusal };
  return { kind: 'lost', error: new ClientError('timeout', 'its answer was lost') };
}
