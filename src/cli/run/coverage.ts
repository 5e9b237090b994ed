import type { CommandContext } from 'strata-kit/cli/context';
import type { StoreChoice } from '../../core/store-choice.ts';
import { type Counts, type Coverage, readCoverage } from '../../store/coverage.ts';
import { checkReadable } from '../../store/migrations.ts';
import { withStores } from '../stores.ts';
import { printable, type TableColumn, tableLines } from '../table.ts';

export interface CoverageOptions {
  readonly store: StoreChoice;
  readonly range: { readonly fromHeight: number | undefined; readonly toHeight: number | undefined };
  readonly json: boolean;
}

/** strata coverage: what of a range of heights is decoded. Errors: those of readCoverage and of the store. */
export async function coverage(options: CoverageOptions, context: CommandContext): Promise<void> {
  const found = await withStores(
    options.store,
    async (stores) => {
      const store = await stores.open('coverage');
      await checkReadable(store, stores.name);
      return readCoverage(store, options.range);
    },
    { mustExist: true },
  );
  if (options.json) context.print(JSON.stringify(found));
  else for (const line of linesOf(found, context.columns)) context.print(line);
}

const COLUMNS: readonly TableColumn[] = [
  { name: 'kind', isNumber: false },
  { name: 'type', isNumber: false },
  { name: 'seen', isNumber: true },
  { name: 'decoded', isNumber: true },
  { name: 'first', isNumber: true },
  { name: 'last', isNumber: true },
];

function linesOf(found: Coverage, width: number | undefined): string[] {
  const { fromHeight, toHeight, messages, events, ethereum, badBlocks, types } = found;
  const rows = types.map(({ kind, type, seen, decoded, firstHeight, lastHeight }) => [
    kind,
    printable(type),
    ...[seen, decoded, firstHeight, lastHeight].map(String),
  ]);
  const isWhole = messages.seen === messages.decoded && events.seen === events.decoded;
  return [
    `heights ${fromHeight} to ${toHeight}${badBlocks === 0 ? '' : `, ${badBlocks} blocks without usable results`}`,
    `messages:     ${share(messages)}`,
    `typed events: ${share(events)}`,
    `EVM views:    ${share(ethereum)}`,
    '',
    ...tableLines(COLUMNS, rows, width),
    ...(isWhole ? [] : ['', 'Give descriptors of the other types: --descriptors (docs/operations.md)']),
  ];
}

function share({ seen, decoded }: Counts): string {
  if (seen === 0) return 'none';
  // 99.99 % of a million is not all of it
  const percent = Math.floor((decoded / seen) * 1_000) / 10;
  return `${decoded} of ${seen} decoded (${percent.toFixed(1)} %)`;
}
