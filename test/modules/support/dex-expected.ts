import { formatTimeNs } from 'strata-kit/time';
import type { HandBlock, Prices } from './dex-pool.ts';

const MINUTE = 60_000_000_000n;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;

/** Modules.md rule 15 word by word, over the blocks up to a height. */
export function expectedPrices(
  blocks: readonly HandBlock[],
  range: string,
  unit: bigint = 10n ** 18n,
): Partial<Prices> {
  const head = blocks.at(-1)?.timeNs ?? 0n;
  const syncs = blocks.flatMap(({ timeNs, logs }) =>
    logs.flatMap((log) =>
      'sync' in log && log.at === undefined && log.sync[0] > 0n && log.sync[1] > 0n
        ? [{ timeNs, price: (log.sync[1] * unit) / log.sync[0], reserves: log.sync }]
        : [],
    ),
  );
  const first = syncs[0];
  const last = syncs.at(-1);
  if (first === undefined || last === undefined) throw new Error('no sync');
  const at = (time: bigint) => syncs.filter(({ timeNs }) => timeNs <= time).at(-1);
  const grids: Readonly<Record<string, readonly [bigint, bigint]>> = {
    '1d': [15n * MINUTE, 96n],
    '1w': [HOUR, 168n],
    '1m': [6n * HOUR, 120n],
  };
  let [step, steps] = grids[range] ?? [0n, 1_000n];
  if (step === 0n) {
    const length = head - first.timeNs;
    step = length / 199n + (length % 199n === 0n ? 0n : 1n);
    if (step === 0n) step = 1n;
  }
  const points: { time: string; price: string }[] = [];
  for (let k = 0n; k <= steps; k++) {
    const time = head - k * step;
    const value = at(time);
    if (value !== undefined) points.unshift({ time: formatTimeNs(time), price: String(value.price) });
  }
  const old = (at(head - DAY) ?? first).price;
  const change =
    ((last.price > old ? last.price - old : old - last.price) * 10_000n) / (old === 0n ? 1n : old);
  const swaps = blocks
    .filter(({ timeNs }) => timeNs > head - DAY)
    .flatMap(({ logs }) => logs.flatMap((log) => ('swap' in log && log.at === undefined ? [log.swap] : [])));
  return {
    as_of: formatTimeNs(head),
    height: blocks.length,
    price: String(last.price),
    price_24h_ago: String(old),
    change_24h_bps: String(old === 0n ? 0n : last.price < old ? -change : change),
    volume_24h: String(swaps.reduce((sum, [, quoteIn, , quoteOut]) => sum + quoteIn + quoteOut, 0n)),
    swaps_24h: swaps.length,
    reserves: { base: String(last.reserves[0]), quote: String(last.reserves[1]) },
    points,
  };
}
