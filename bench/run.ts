import { availableParallelism } from 'node:os';
import { benchApi } from './api.ts';
import { benchBackfill } from './backfill.ts';
import { benchDecode } from './decode.ts';
import { report } from './support/report.ts';

/**
 * npm run bench: decode, backfill and API figures as a table, and as JSON in bench/results/. Ratios compare two things
 * measured in this run; absolute figures say what this machine did today.
 *
 * --smoke: small sizes, to see that everything runs. --only decode|backfill|api. --blocks N: length of the backfill.
 * --workers N: decode threads (cores − 1 by default).
 */
const args = process.argv.slice(2);
const smoke = args.includes('--smoke');
const only = flagValue('--only');
const blocks = Number(flagValue('--blocks') ?? (smoke ? 1_503 : 20_040));
const workers = Number(flagValue('--workers') ?? Math.max(1, availableParallelism() - 1));

function flagValue(flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
}

const wanted = (name: string): boolean => only === undefined || only === name;
if (wanted('decode')) report(await benchDecode(smoke ? 3 : 15), 'decode');
if (wanted('backfill')) report(await benchBackfill(blocks, workers), 'backfill');
if (wanted('api')) report(await benchApi({ smoke }), 'api');
process.exit(0);
