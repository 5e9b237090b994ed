import { isObject } from 'strata-kit/json';
import { on } from '../../../derive/derivation.ts';
import { SETTLEMENT_SETTLED } from '../../settlement/events.ts';
import type { Quest } from '../quest.ts';

const BY_PROPOSER = 'DIRECTION_PROPOSER_TO_COUNTERPARTY';
const BY_COUNTERPARTY = 'DIRECTION_COUNTERPARTY_TO_PROPOSER';

export const sellStripQuest: Quest = {
  id: 'sell_strip',
  title: 'Sell a dividend strip',
  how: 'A settlement in which you deliver only INCOME rights and are paid in a coin.',
  open: ({ assets, settlements, complete }) => {
    const isIncome = (right: unknown): boolean =>
      isObject(right) &&
      typeof right.asset_id === 'string' &&
      assets.getKind(right.asset_id, Number(right.kind_id ?? 0))?.class === 'INCOME';
    return {
      handlers: [
        on(SETTLEMENT_SETTLED, ({ id }) => {
          const settled = settlements.settledNow(id);
          if (settled === undefined) return;
          const legs = (JSON.parse(settled.legs) as readonly unknown[]).filter(isObject);
          const sells = (direction: string): boolean => {
            const given = legs.filter((leg) => leg.direction === direction);
            const isPaid = legs.some((leg) => leg.direction !== direction && isObject(leg.coin));
            return isPaid && given.length > 0 && given.every(({ coin, right }) => !coin && isIncome(right));
          };
          if (sells(BY_PROPOSER)) complete(settled.proposer);
          if (sells(BY_COUNTERPARTY)) complete(settled.counterparty);
        }),
      ],
    };
  },
};
