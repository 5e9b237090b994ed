import type { LookupCandidate } from '../../../../clients/ts/src/client.ts';
import { shorten } from '../text/shorten.ts';

/** Where something that was found is shown. */
export interface Found {
  readonly href: string;
  readonly kind: string;
  readonly text: string;
}

export function candidateOf(candidate: LookupCandidate): Found {
  const { id } = candidate;
  switch (candidate.type) {
    case 'asset': {
      const kind = candidate.kind_id === undefined ? '' : `, kind ${candidate.kind_id}`;
      return { href: `/asset/${id}`, kind: 'Asset', text: `${shorten(id)}${kind}` };
    }
    case 'tx':
      return { href: `/tx/${id}`, kind: 'Transaction', text: shorten(id) };
    case 'account':
      return {
        href: `/account/${id}`,
        kind: candidate.known ? 'Account' : 'Account, not seen yet',
        text: shorten(id, 12),
      };
    default:
      return { href: `/${candidate.type}/${id}`, kind: NUMBERED[candidate.type] ?? candidate.type, text: id };
  }
}

const NUMBERED: Readonly<Record<string, string>> = {
  block: 'Block',
  settlement: 'Settlement',
  encumbrance: 'Encumbrance',
};
