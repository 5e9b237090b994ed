import { ClientError } from './errors.ts';
import type { Node } from './node.ts';

/** What a node makes of bytes. */
export type Answer =
  /** They wait in its mempool, now or since before. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'full'; readonly log: string }
  /** The sequence that it expects; undefined when its words are unknown. */
  | { readonly kind: 'sequence'; readonly expected: bigint | undefined; readonly log: string }
  | { readonly kind: 'refused'; readonly codespace: string; readonly code: number; readonly log: string }
  /** No answer, or one that is none of the chain: its mempool may have the bytes or not. */
  | { readonly kind: 'lost'; readonly error: ClientError };

/** Never throws what a node may cause. */
export async function broadcastOnce(node: Pick<Node, 'broadcast'>, bytes: Uint8Array): Promise<Answer> {
  try {
    const { codespace, code, log } = await node.broadcast(bytes);
    if (code === 0) return { kind: 'taken' };
    if (codespace === 'sdk' && code === 19) return { kind: 'taken' };
    if (codespace === 'sdk' && code === 20) return { kind: 'full', log };
    if (codespace === 'sdk' && code === 32) return { kind: 'sequence', expected: expectedOf(log), log };
    return { kind: 'refused', codespace, code, log };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    // what CometBFT's mempool itself refuses is an error of the call
    if (/already exists in cache/.test(error.message)) return { kind: 'taken' };
    if (/mempool is full/.test(error.message)) return { kind: 'full', log: error.message };
    return { kind: 'lost', error };
  }
}

/** Why bytes are not in a mempool; empty where they are. */
export function reasonOf(answer: Answer): string {
  if (answer.kind === 'taken') return '';
  if (answer.kind === 'lost') return 'the node did not answer';
  return answer.kind === 'refused' ? `${answer.codespace}/${answer.code}: ${answer.log}` : answer.log;
}

function expectedOf(log: string): bigint | undefined {
  const [, expected] = /expected (\d+), got \d+/.exec(log) ?? [];
  return expected === undefined ? undefined : BigInt(expected);
}
