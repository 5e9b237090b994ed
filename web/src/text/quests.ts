import type { QuestStatus } from '../../../clients/ts/src/client.ts';

/** Where a quest is begun. */
export const QUEST_PLACES: Readonly<
  Record<QuestStatus['id'], { readonly href: string; readonly text: string }>
> = {
  faucet: { href: '/faucet', text: 'Ask the faucet' },
  evm_tx: { href: '/wallet', text: 'Open the wallet' },
  swap: { href: '/market', text: 'Look at the market' },
  add_liquidity: { href: '/market', text: 'Look at the market' },
  first_dividend: { href: '/desk', text: 'Buy a share at the desk' },
  claim_income: { href: '/wallet', text: 'See what you may claim' },
  sell_strip: { href: '/desk', text: 'Sell income at the desk' },
  borrow_repay: { href: '/market', text: 'Look at the market' },
  launch_asset: { href: '/launch', text: 'Launch an asset' },
  delegate_income: { href: '/wallet', text: 'Open the wallet' },
};

/** `3 of 10 done` */
export function progressText(completed: number, total: number): string {
  return completed === total ? `all ${total} done` : `${completed} of ${total} done`;
}
