import type { Call, Viewer } from 'strata-kit/rpc/faults/layer';
import type { FaultChances, FaultName } from 'strata-kit/rpc/faults/names';
import type { Dice } from 'strata-kit/rpc/faults/schedule';
import type { HeightTexts, ReplayChain } from '../chain.ts';
import { rpcChain } from '../rpc-chain.ts';
import { createFork } from './fork.ts';
import { broken, renamedResults, tamper, withOneResult } from './texts.ts';

const MAX_LAG = 20;
/** The first answers are right: a foreign node would never be used. */
const RIGHT_STATUSES = 2;

export function createViewer(chain: ReplayChain, chances: FaultChances, run: Dice): Viewer {
  const middle = (purpose: string): number => {
    const length = chain.last - chain.base;
    return chain.base + Math.max(1, Math.floor(length * (0.3 + 0.4 * run.share(purpose))));
  };
  const haltHeight = middle('halt');
  const foreignHeight = middle('chain-id');
  const forkHeight = middle('fork');
  const fork = createFork(chain, forkHeight);
  /** Whether a height has the fault: the same in each request. */
  const isHit = (name: FaultName, height: number): boolean =>
    run.share(`${name} ${height}`) < (chances.get(name) ?? 0);

  return (dice, calls, nthStatus) => {
    const hits = (name: FaultName): boolean => dice.share(name) < (chances.get(name) ?? 0);
    const isForeign = hits('chain-id');
    const isForked = hits('fork');
    const lag = hits('lag') ? 1 + dice.pick('lag depth', MAX_LAG) : 0;
    const halted = hits('halt') ? haltHeight : chain.last;
    const wrong = {
      height: hits('wrong-height'),
      results: hits('swap-results'),
      field: hits('tamper'),
    };
    const blockCalls = calls.filter(({ method }) => method === 'block' || method === 'block_results');
    const wrongCall = pickCall(blockCalls, wrong.results && !wrong.height, dice);
    let nth = 0;

    const rightTexts = async (height: number): Promise<HeightTexts> => {
      const ofBranch = await (isForked && height >= forkHeight ? fork.texts(height) : chain.texts(height));
      const texts = damaged(ofBranch, height);
      if (!isForeign || height < foreignHeight) return texts;
      const block = texts.block.toString('latin1').replace(/("chain_id":")[^"]*/, '$1other-1');
      return { ...texts, block: Buffer.from(block, 'latin1') };
    };
    const damaged = (texts: HeightTexts, height: number): HeightTexts => {
      if (isHit('results-broken', height)) return { ...texts, results: broken(texts.results) };
      if (isHit('results-missing', height)) return { ...texts, results: withOneResult(texts.results) };
      return texts;
    };
    const another = (height: number): number => {
      const step = 1 + dice.pick('another', 3);
      return height - step >= chain.base ? height - step : Math.min(height + step, chain.last);
    };
    const texts = async (height: number): Promise<HeightTexts> => {
      const right = await rightTexts(height);
      const called = nth++;
      if (called !== wrongCall) return right;
      const member = blockCalls[called]?.method === 'block' ? 'block' : 'results';
      if (wrong.height) return rightTexts(another(height));
      if (wrong.results && member === 'results') {
        const { results } = await rightTexts(another(height));
        return { ...right, results: renamedResults(results, height) };
      }
      return wrong.field ? tamper(right, member, dice) : right;
    };
    return {
      chain: rpcChain({
        ...chain,
        texts,
        head: () => Math.max(chain.base, Math.min(chain.head() - lag, halted)),
      }),
      isForeign: isForeign && nthStatus > RIGHT_STATUSES,
    };
  };
}

/** Which of the calls is answered wrongly; where only results are to be, one for results. */
function pickCall(calls: readonly Call[], isForResults: boolean, dice: Dice): number {
  const fitting = [...calls.keys()].filter((at) => !isForResults || calls[at]?.method === 'block_results');
  return fitting[dice.pick('call', fitting.length)] ?? -1;
}
