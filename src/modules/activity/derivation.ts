import type { Derivation } from '../../derive/derivation.ts';
import { ACCOUNT_EVENTS, ASSET_EVENTS } from './tables.ts';

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
      seeEvent(event, spec, { height, ordinal, txIndex, eventIndex, timeNs }) {
        const { accounts, assets } = spec.subjects(event);
        const place = { height, ordinal, tx_index: txIndex, event_index: eventIndex, time_ns: timeNs };
        for (const account of distinct(accounts)) ofAccounts.append({ account, ...place });
        for (const asset_id of distinct(assets)) ofAssets.append({ asset_id, ...place });
      },
      endBlock: () => {},
      restore: () => Promise.resolve(),
    };
  },
};

/** From here on a set is faster: whoever makes an event decides how long its lists are. */
const MANY = 16;

function distinct(told: readonly string[]): Iterable<string> {
  if (told.length < MANY) return told.filter((subject, i) => subject !== '' && told.indexOf(subject) === i);
  const subjects = new Set(told);
  subjects.delete('');
  return subjects;
}
