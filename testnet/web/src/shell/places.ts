/** The pages that the header and the keys know. */
export interface Place {
  readonly href: string;
  readonly text: string;
  /** After `g`. */
  readonly key: string;
  readonly group: 'read' | 'do';
}

export const PLACES: readonly Place[] = [
  { href: '/', text: 'Overview', key: 'o', group: 'read' },
  { href: '/blocks', text: 'Blocks', key: 'b', group: 'read' },
  { href: '/txs', text: 'Transactions', key: 't', group: 'read' },
  { href: '/assets', text: 'Assets', key: 'a', group: 'read' },
  { href: '/settlements', text: 'Settlements', key: 's', group: 'read' },
  { href: '/bridge', text: 'Bridge', key: 'r', group: 'read' },
  { href: '/market', text: 'Market', key: 'm', group: 'read' },
  { href: '/quests', text: 'Quests', key: 'q', group: 'read' },
  { href: '/checks', text: 'Checks', key: 'c', group: 'read' },
  { href: '/launch', text: 'Launch', key: 'l', group: 'do' },
  { href: '/desk', text: 'Desk', key: 'd', group: 'do' },
  { href: '/wallet', text: 'Wallet', key: 'w', group: 'do' },
  { href: '/faucet', text: 'Faucet', key: 'f', group: 'do' },
];
