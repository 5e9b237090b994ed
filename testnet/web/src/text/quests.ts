import type { QuestStatus } from '../../../../clients/ts/src/client.ts';

/** Where a quest is begun; without a page where none of these does it. */
export const QUEST_PLACES: Readonly<
  Record<QuestStatus['id'], { readonly href?: string; readonly text: string }>
> = {
  faucet: { href: '/faucet', text: 'Ask the faucet' },
  evm_tx: { href: '/wallet', text: 'Open the wallet' },
  swap: { href: '/market', text: 'See where swaps are made' },
  add_liquidity: { href: '/market', text: 'See where the pools are' },
  first_dividend: { href: '/desk', text: 'Buy a share at the desk' },
  claim_income: { href: '/wallet', text: 'See what you may claim' },
  sell_strip: { href: '/desk', text: 'Sell income at the desk' },
  borrow_repay: { text: 'An Ethereum wallet does it; no page here does' },
  launch_asset: { href: '/launch', text: 'Launch an asset' },
  delegate_income: { text: 'A message of the chain does it; no page here does' },
};

/** `3 of 10 done` */
export function progressText(completed: number, total: number): string {
  return completed === total ? `all ${total} done` : `${completed} of ${total} done`;
}
