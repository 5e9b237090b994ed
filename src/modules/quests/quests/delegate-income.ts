import { on } from '../../../derive/derivation.ts';
import { DELEGATED } from '../../delegation/events.ts';
import { ENCUMBRANCE_CREATED } from '../../encumbrance/events.ts';
import type { Quest } from '../quest.ts';

export const delegateIncomeQuest: Quest = {
  id: 'delegate_income',
  title: 'Hand income on',
  how: 'A pledge of yours that routes income to its beneficiary, or a delegation of yours with the purpose INCOME.',
  open: ({ complete }) => ({
    handlers: [
      on(ENCUMBRANCE_CREATED, ({ kind, incomeToBeneficiary, holder, actor }) => {
        if (kind === 'KIND_PLEDGE' && incomeToBeneficiary && actor === holder) complete(holder);
      }),
      on(DELEGATED, ({ purposes, holder }) => {
        if (purposes.includes('PURPOSE_INCOME')) complete(holder);
      }),
    ],
  }),
};
