import { parseTimeNs } from 'strata-kit/time';
import { parse } from 'yaml';

/** Times of blocks, in nanoseconds since 1970; each is greater than the one before. */
export interface BlockClock {
  /** Whether time goes on without blocks. */
  readonly isWall: boolean;
  readonly genesisTimeNs: bigint;
  /** Of the block at this height, when the one before has `lastTimeNs`. */
  next(height: number, lastTimeNs: bigint): bigint;
  /** Blocks are to come without a pause, as this one does not stand in the present yet. */
  isBehind?(lastTimeNs: bigint): boolean;
}

/** The machine's. */
export function systemNow(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

/** CometBFT's least step between two blocks (TimeIotaMs). */
const LEAST_STEP_NS = 1_000_000n;
export const SIMULATED_GENESIS = '2026-01-01T00:00:00Z';
const SIMULATED_STEP = '5s';

export function wallClock(now: () => bigint): BlockClock {
  return {
    isWall: true,
    genesisTimeNs: now(),
    next: (_, lastTimeNs) => {
      const nowNs = now();
      const leastNs = lastTimeNs + LEAST_STEP_NS;
      return nowNs > leastNs ? nowNs : leastNs;
    },
  };
}

/**
 * The machine's time, which a chain that is behind it reaches in equal steps: a new one begins `spanNs` ago, and one that
 * stood still makes up for it.
 */
export function historyClock(now: () => bigint, spanNs: bigint, stepNs: bigint): BlockClock {
  const wall = wallClock(now);
  const isBehind = (lastTimeNs: bigint) => now() - lastTimeNs > stepNs;
  return {
    isWall: true,
    genesisTimeNs: wall.genesisTimeNs - spanNs,
    isBehind,
    next: (height, lastTimeNs) =>
      isBehind(lastTimeNs) ? lastTimeNs + stepNs : wall.next(height, lastTimeNs),
  };
}

/**
 * What a simulated clock does, as YAML or JSON: from where, how far a block, and at which heights something else.
 *
 * ```yaml
 * genesis: 2026-01-01T00:00:00Z
 * step: 5s
 * at:
 *   - { height: 100, set: 2026-01-01T23:59:58Z }
 *   - { height: 200, jump: 36h }
 *   - { height: 300, step: 1m }
 * ```
 */
export interface ClockScript {
  readonly genesisTimeNs: bigint;
  readonly stepNs: bigint;
  readonly at: ReadonlyMap<number, ClockAct>;
}

/** At its height, in this order: the step from here on, the time to set, what to add to it. */
export interface ClockAct {
  readonly stepNs?: bigint;
  readonly setNs?: bigint;
  readonly jumpNs?: bigint;
}

/** Errors: an Error that says what is wrong. */
export function parseClockScript(text: string): ClockScript {
  const script = record(parse(text, { schema: 'failsafe' }) ?? {}, 'the clock script', [
    'genesis',
    'step',
    'at',
  ]);
  const at = new Map<number, ClockAct>();
  const acts = script.at ?? [];
  if (!Array.isArray(acts)) throw new Error('at: must be a list');
  for (const item of acts as readonly unknown[]) {
    const act = record(item, 'a step of at:', ['height', 'set', 'jump', 'step']);
    const height = Number(act.height);
    if (!Number.isSafeInteger(height) || height < 1) throw new Error(`no height: ${String(act.height)}`);
    if (at.has(height)) throw new Error(`height ${height} stands twice in at:`);
    at.set(height, {
      ...(act.step === undefined ? {} : { stepNs: parseDuration(act.step) }),
      ...(act.set === undefined ? {} : { setNs: parseTime(act.set) }),
      ...(act.jump === undefined ? {} : { jumpNs: parseDuration(act.jump) }),
    });
  }
  return {
    genesisTimeNs: parseTime(script.genesis ?? SIMULATED_GENESIS),
    stepNs: parseDuration(script.step ?? SIMULATED_STEP),
    at,
  };
}

/** The same times on every machine. Errors: an Error where the script would set the time back. */
export function simulatedClock(script: ClockScript = parseClockScript('')): BlockClock {
  const { genesisTimeNs } = script;
  const steps = [...script.at].filter(([, { stepNs }]) => stepNs !== undefined).sort(([a], [b]) => a - b);
  const stepAt = (height: number) => steps.findLast(([from]) => from <= height)?.[1].stepNs ?? script.stepNs;
  return {
    isWall: false,
    genesisTimeNs,
    next(height, lastTimeNs) {
      const act = script.at.get(height);
      // the first block's time is the genesis' own, as in CometBFT
      const usual = height === 1 ? genesisTimeNs : lastTimeNs + stepAt(height);
      const timeNs = (act?.setNs ?? usual) + (act?.jumpNs ?? 0n);
      if (height > 1 && timeNs <= lastTimeNs)
        throw new Error(`the clock script sets the time back at height ${height}`);
      return timeNs;
    },
  };
}

const UNITS_NS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
};

/** Errors: an Error for anything but a whole number with its unit, above 0. */
export function parseDuration(text: unknown): bigint {
  const match = /^(\d{1,12})(ns|us|ms|s|m|h|d)$/.exec(String(text));
  const durationNs = BigInt(match?.[1] ?? 0) * (UNITS_NS[match?.[2] ?? ''] ?? 0n);
  if (durationNs === 0n) throw new Error(`no duration: ${String(text)} (such as 5s, 250ms, 36h, 2d)`);
  return durationNs;
}

function parseTime(text: unknown): bigint {
  const timeNs = parseTimeNs(String(text));
  if (timeNs === undefined) throw new Error(`no time: ${String(text)} (such as 2026-01-01T00:00:00Z)`);
  return timeNs;
}

function record(value: unknown, what: string, keys: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${what} must hold keys`);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new Error(`${what} holds ${unknown}, not one of ${keys.join(', ')}`);
  return value as Readonly<Record<string, unknown>>;
}
