import { on } from '../../../derive/derivation.ts';
import { DISTRIBUTED } from '../../payout/events.ts';
import type { Position } from '../../rights/state.ts';
import type { Quest } from '../quest.ts';

/**
 * A distribution does not look at every holder again. The first one of a kind does; behind it a kind has but the holders
 * whose basis has changed since the last, each by an event of its own. Whoever has a basis then completes the quest, and
 * whoever has none comes back with the next change. What a restart forgets is a kind's first look, which finds nobody new.
 */
export const firstDividendQuest: Quest = {
  id: 'first_dividend',
  title: 'Earn your first dividend',
  how: 'Income distributed to a right that you hold, its income not pledged to somebody else.',
  open({ rights, complete, hasCompleted }) {
    /** By kind, once it had a distribution. */
    const changedSince = new Map<string, Set<string>>();
    const note = (assetId: string, kindId: number, { holder }: { readonly holder: string }): void => {
      const changed = changedSince.get(kindKey(assetId, kindId));
      if (changed !== undefined && !hasCompleted(holder)) changed.add(holder);
    };
    const look = ({ holder, units, routed }: Position): void => {
      if (units > 0n && units > routed) complete(holder);
    };
    rights.beforeUnitsChange(note);
    rights.beforeRoutedChange(note);
    return {
      handlers: [
        on(DISTRIBUTED, ({ assetId, kindId }) => {
          const key = kindKey(assetId, kindId);
          const changed = changedSince.get(key);
          if (changed === undefined) {
            for (const position of rights.holders(assetId, kindId)) look(position);
          } else {
            for (const holder of changed) {
              const position = rights.getPosition(assetId, kindId, holder);
              if (position !== undefined) look(position);
            }
          }
          changedSince.set(key, new Set());
        }),
      ],
    };
  },
};

function kindKey(assetId: string, kindId: number): string {
  return `${assetId} ${kindId}`;
}
