import { parseTimeNs } from 'strata-kit/time';
import { type BlockClock, parseDuration, SIMULATED_GENESIS } from './clock.ts';

/**
 * A simulated clock that repeats a list of steps, so that days, windows and deadlines pass within few blocks. The time of
 * every height is known in advance: a workload can give deadlines in blocks.
 */
export interface StepClock extends BlockClock {
  /** Of the block at this height. Block 1 has the genesis' time, as in CometBFT. */
  timeAt(height: number): bigint;
}

const MAX_TEXT = 1_000;
const MAX_PARTS = 64;
const MAX_COUNT = 1_000_000;
const MIN_STEP_NS = 1_000_000n;
const MAX_STEP_NS = 366n * 86_400_000_000_000n;
/** Stores keep block times as nanoseconds in 64 bits, which end in 2262. */
const END = '2200-01-01T00:00:00Z';
/** The workload sets deadlines at most so many blocks ahead. */
const BLOCKS_AHEAD = 5_000;

interface Part {
  readonly stepNs: bigint;
  readonly blocks: number;
}

/**
 * Reads `1s*100,1d*3,6h*20`: 100 blocks of 1 s, 3 of a day, 20 of 6 hours, and then from the first part again. A count
 * that is left out is 1. `blocks` is how many blocks the chain will have. Errors: an Error that says what is wrong.
 */
export function parseStepClock(text: string, blocks: number): StepClock {
  if (text.length > MAX_TEXT) throw new Error(`a clock script has at most ${MAX_TEXT} characters`);
  const parts = text.split(',').map(parsePart);
  if (parts.length > MAX_PARTS) throw new Error(`a clock script has at most ${MAX_PARTS} parts`);
  const clock = stepClock(parts);
  if (clock.timeAt(blocks + BLOCKS_AHEAD) > timeOf(END)) {
    throw new Error(
      `${text} passes ${END} within ${blocks} blocks and the ${BLOCKS_AHEAD} that deadlines may be ahead: take shorter steps or fewer blocks`,
    );
  }
  return clock;
}

function stepClock(parts: readonly Part[]): StepClock {
  const genesisTimeNs = timeOf(SIMULATED_GENESIS);
  const cycleBlocks = parts.reduce((sum, { blocks }) => sum + blocks, 0);
  const cycleNs = parts.reduce((sum, { stepNs, blocks }) => sum + stepNs * BigInt(blocks), 0n);

  function timeAt(height: number): bigint {
    const steps = Math.max(0, height - 1);
    let timeNs = genesisTimeNs + BigInt(Math.floor(steps / cycleBlocks)) * cycleNs;
    let left = steps % cycleBlocks;
    for (const { stepNs, blocks } of parts) {
      const taken = Math.min(left, blocks);
      timeNs += stepNs * BigInt(taken);
      left -= taken;
    }
    return timeNs;
  }

  return { isWall: false, genesisTimeNs, timeAt, next: timeAt };
}

function parsePart(text: string): Part {
  const [duration = '', count = '1', ...more] = text.trim().split('*');
  const stepNs = parseDuration(duration);
  if (stepNs < MIN_STEP_NS || stepNs > MAX_STEP_NS) throw new Error(`a step is 1ms to 366d, not ${duration}`);
  const blocks = /^[1-9]\d{0,6}$/.test(count) ? Number(count) : 0;
  if (more.length > 0 || blocks < 1 || blocks > MAX_COUNT)
    throw new Error(`${text.trim()} is not <duration>*<blocks>, with 1 to ${MAX_COUNT} blocks`);
  return { stepNs, blocks };
}

function timeOf(text: string): bigint {
  return parseTimeNs(text) ?? 0n;
}
