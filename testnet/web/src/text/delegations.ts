import type { Delegation } from '../../../../clients/ts/src/client.ts';
import { listed } from './policies.ts';

/** Whether a delegation goes on, and why it ended if it does not. */
export function delegationStatus(ended: Delegation['ended']): {
  readonly word: string;
  readonly tone: 'good' | 'plain';
} {
  switch (ended) {
    case '':
      return { word: 'active', tone: 'good' };
    case 'END_REASON_EXPIRED':
      return { word: 'its time was over', tone: 'plain' };
    case 'END_REASON_REVOKED':
      return { word: 'taken back by the holder', tone: 'plain' };
    case 'END_REASON_RETURNED':
      return { word: 'given back', tone: 'plain' };
  }
}

const PURPOSES: Readonly<Record<Delegation['purposes'][number], string>> = {
  VOTE: 'voting with the units',
  INCOME: 'looking after their income, which still goes to the holder',
};

/** What units are lent for. Income is never routed by a delegation (docs/devnet.md "Delegation"). */
export function purposesText(purposes: Delegation['purposes']): string {
  return listed(
    purposes.map((purpose) => PURPOSES[purpose]),
    'and',
  );
}
