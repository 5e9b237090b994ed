import { on } from '../../../derive/derivation.ts';
import { CLAIMED } from '../../payout/events.ts';
import type { Quest } from '../quest.ts';

/** The event's holder is who is paid: of routed income the beneficiary. */
export const claimIncomeQuest: Quest = {
  id: 'claim_income',
  title: 'Claim income',
  how: 'A claim of income, earned by your own rights or pledged to you.',
  open: ({ complete }) => ({ handlers: [on(CLAIMED, ({ holder }) => complete(holder))] }),
};
