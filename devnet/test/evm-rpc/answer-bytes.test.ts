import { createBodyBudget } from 'strata-kit/body-budget';
import { createHolding } from 'strata-kit/holding';
import { describe, expect, it } from 'vitest';
import { answerBody, MAX_ANSWER_BYTES } from '../../src/evm-rpc/answer.ts';
import type { EthereumBlock } from '../../src/evm-rpc/blocks.ts';
import type { EthereumNode } from '../../src/evm-rpc/node.ts';
import { createLane } from '../../src/lane.ts';
import { NOBODY } from '../../src/simulation/simulations.ts';

/** How many bytes an answer may have, and all answers together. */

const LOG_BYTES = 1_000_000;

/** A node whose block n has one tx with n logs of 1 MB, which are 2 MB as text. */
function openNode() {
  const printed = { logs: 0 };
  function* logs(count: number) {
    for (let index = 0; index < count; index++) {
      printed.logs += 1;
      yield { address: '0x', topics: [], data: new Uint8Array(LOG_BYTES), index };
    }
  }
  const tx = { hash: '0x', from: new Uint8Array(20), to: new Uint8Array(20) };
  const at = async (height: number) =>
    ({
      block: { id: { hash: 'AB' }, header: { height } },
      txs: [
        {
          ...{
            tx: { ...tx, type: 0, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
            index: 0,
            succeeded: true,
          },
          ...{ gasUsed: 1n, cumulativeGasUsed: 1n, logs: () => logs(height) },
        },
      ],
    }) as unknown as EthereumBlock;
  const node = {
    chain: { latestHeight: () => 100, earliestHeight: () => 1 },
    parameters: { minGasPrice: 1n },
    blocks: { at },
    lane: createLane(),
  } as unknown as EthereumNode;
  return { node, printed };
}

const receipts = (logs: number, id: number) => ({
  ...{ jsonrpc: '2.0', id, method: 'eth_getBlockReceipts' },
  params: [`0x${logs.toString(16)}`],
});

async function ask(node: EthereumNode, request: unknown, budget = createBodyBudget(1e9)) {
  const holding = createHolding(budget);
  const answering = { caller: NOBODY, onError: () => {}, holding };
  const parts = (await answerBody(node, JSON.stringify(request), answering)) ?? [];
  const text = Buffer.concat(parts).toString();
  return { length: text.length, answer: JSON.parse(text) as unknown, end: holding.end };
}

const codeOf = (answer: unknown) => (answer as { error?: { code: number } }).error?.code;

describe('an answer', () => {
  it('ends with a code as soon as it has 25 MB', async () => {
    const { node, printed } = openNode();
    expect(codeOf((await ask(node, receipts(12, 1))).answer)).toBeUndefined();
    printed.logs = 0;
    expect(codeOf((await ask(node, receipts(100, 1))).answer)).toBe(-32_003);
    expect(printed.logs).toBe(13);
  });

  it('of a batch has the results that fit in 25 MB, and a code for each other call', async () => {
    const { node, printed } = openNode();
    const calls = Array.from({ length: 1_000 }, (_, id) => receipts(5, id));
    const { answer, length } = await ask(node, calls);
    const answers = answer as unknown[];
    expect(answers).toHaveLength(1_000);
    expect(answers.map(codeOf)).toEqual([
      undefined,
      undefined,
      ...Array.from({ length: 998 }, () => -32_003),
    ]);
    expect(length).toBeLessThan(MAX_ANSWER_BYTES);
    expect(printed.logs).toBeLessThanOrEqual(15);
  });

  it('is refused while others hold all that the server may hold, but small ones', async () => {
    const { node } = openNode();
    const budget = createBodyBudget(15_000_000);
    const first = await ask(node, receipts(5, 1), budget);
    const small = { jsonrpc: '2.0', id: 3, method: 'eth_syncing' };
    const { answer } = await ask(node, [receipts(5, 2), small], budget);
    expect((answer as unknown[]).map(codeOf)).toEqual([-32_005, undefined]);
    first.end();
    expect(budget.heldBytes).toBe(0);
    const again = await ask(node, receipts(5, 4), budget);
    expect(codeOf(again.answer)).toBeUndefined();
    again.end();
    expect(budget.heldBytes).toBe(0);
  });
});
