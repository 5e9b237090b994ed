/**
 * The paths of the pages, for both sides: the pages' router (testnet/web/src/shell/pages.tsx) shows what is here, and the server
 * answers these paths with the pages' document. A segment that begins with a colon is any text that is not empty.
 */
export const PAGE_PATHS = {
  overview: '/',
  block: '/block/:height',
  blocks: '/blocks',
  assets: '/assets',
  asset: '/asset/:id',
  account: '/account/:address',
  tx: '/tx/:hash',
  txs: '/txs',
  settlements: '/settlements',
  settlement: '/settlement/:id',
  delegation: '/delegation/:id',
  encumbrance: '/encumbrance/:id',
  quests: '/quests',
  questsOf: '/quests/:address',
  market: '/market',
  marketOf: '/market/:asset',
  checks: '/checks',
  bridge: '/bridge',
  desk: '/desk',
  launch: '/launch',
  wallet: '/wallet',
  faucet: '/faucet',
} as const;
