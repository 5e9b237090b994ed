import type { Column, TableBuilder } from '../../core/native.ts';
import type { Derivation, EventContext } from '../../derive/derivation.ts';
import { ACCOUNT_EVENTS, ASSET_EVENTS } from './tables.ts';

type FeedBuilder = TableBuilder<typeof ACCOUNT_EVENTS> | TableBuilder<typeof ASSET_EVENTS>;

/** The feeds: where the events stand that an account or an asset is a subject of. It holds nothing between events. */
export const activityDerivation: Derivation = {
  module: 'activity',
  tables: [ACCOUNT_EVENTS, ASSET_EVENTS],
  reads: [],
  seesAll: true,
  open({ table }) {
    const ofAccounts = table(ACCOUNT_EVENTS);
    const ofAssets = table(ASSET_EVENTS);
    return {
      state: undefined,
      handlers: [],
      seeEvent(event, spec, context) {
        const { accounts, assets } = spec.subjects(event);
        append(ofAccounts, ofAccounts.columns.account, accounts, context);
        append(ofAssets, ofAssets.columns.asset_id, assets, context);
      },
      endBlock: () => {},
      restore: () => Promise.resolve(),
    };
  },
};

/** From here on a set is faster: whoever makes an event decides how long its lists are. */
const MANY = 16;

/** A row for each distinct subject. */
function append(
  builder: FeedBuilder,
  column: Column,
  told: readonly string[],
  { height, ordinal, txIndex, eventIndex, timeNs }: EventContext,
): void {
  const { columns } = builder;
  const subjects = told.length < MANY ? told : [...new Set(told)];
  const isDistinct = subjects !== told;
  for (let i = 0; i < subjects.length; i++) {
    const subject = subjects[i] as string;
    if (subject === '' || (!isDistinct && subjects.indexOf(subject) < i)) continue;
    column.text(subject);
    columns.height.u64(height);
    columns.ordinal.u32(ordinal);
    columns.tx_index.i32(txIndex);
    columns.event_index.u32(eventIndex);
    columns.time_ns.i64big(timeNs);
    builder.rows++;
  }
}
