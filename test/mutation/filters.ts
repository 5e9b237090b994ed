/**
 * Where the tests of a subject are, as vitest's path filters, cheapest first. Only this file changes when tests move.
 * None may need the built pages: a run does not make them. A dot at the end keeps `dex.` from `dex-mean.`, and
 * runs files that `npm test` leaves out (vitest.config.ts).
 */
export const FILTERS = {
  // decode
  proto: ['test/decode/proto'],
  blocks: ['test/decode/synthetic', 'test/decode/recording', 'test/decode/event-layouts'],
  edges: ['test/decode/edges'],
  hashes: ['devnet/test/comet-hashes', 'test/chain/faults'],
  // core
  times: ['kit/test/codec/codec'],
  addresses: ['test/api/params'],
  bytes: ['kit/test/bytes'],
  hosts: ['kit/test/allowed-hosts'],
  urls: ['test/cli/redact'],
  configuration: ['test/cli/config'],
  rowbinary: ['test/store/rowbinary'],
  native: ['test/core/native.', 'test/store/native-insert'],
  storedParameters: ['test/pipeline/parameters.'],
  // derive
  fields: ['test/derive/fields'],
  order: ['test/derive/facts'],
  deriver: ['test/derive/deriver'],
  facts: ['test/derive/native-facts', 'test/pipeline/facts.'],
  following: ['test/pipeline/refusals'],
  // modules, by hand and without a store
  handWritten: [
    'test/modules/income-by-hand',
    'test/modules/bridge-by-hand',
    'test/modules/waterfall-by-hand',
    'test/modules/network-by-hand',
    'test/modules/quests-by-hand',
  ],
  income: ['test/modules/income-by-hand', 'test/modules/income-properties'],
  restart: ['test/modules/restart-properties'],
  bridge: ['test/modules/bridge-by-hand', 'test/modules/bridge.'],
  waterfall: ['test/modules/waterfall-by-hand', 'test/modules/waterfall.'],
  network: ['test/modules/network-by-hand', 'test/modules/network.'],
  quests: ['test/modules/quests-by-hand', 'test/modules/quests.'],
  // over everything, and so only where nothing cheaper sees a bug
  chain: ['test/modules/equality'],
  contracts: ['test/modules/contract-suite.'],
  // modules, over a store
  account: ['test/modules/account.'],
  activity: ['test/modules/activity'],
  asset: ['test/modules/asset-by-hand', 'test/modules/asset.'],
  attestation: ['test/modules/attestation-by-hand', 'test/modules/attestation.'],
  delegation: ['test/modules/delegation'],
  dexByHand: ['test/modules/dex-derivation', 'test/modules/dex-by-hand.'],
  dexMean: ['test/modules/dex-mean'],
  dex: ['test/modules/dex.'],
  encumbrance: ['test/modules/encumbrance'],
  holderOrder: ['test/modules/asset-by-hand', 'test/modules/holder-order.'],
  payout: ['test/modules/payout-sum', 'test/modules/payout.'],
  reconciliation: ['test/modules/reconciliation-by-hand', 'test/modules/reconciliation.'],
  rights: ['test/modules/asset-by-hand', 'test/modules/rights.'],
  settlement: ['test/modules/settlement'],
  // store, api, app
  bookkeeping: ['test/store/bookkeeping'],
  seals: ['test/store/seals'],
  cursors: ['test/api/cursor.'],
  negotiation: ['test/api/negotiate'],
  pages: ['test/api/pages'],
  ahead: ['test/api/ahead'],
  appHosts: ['testnet/test/app/hosts'],
  deskPrices: ['testnet/test/app/desk/quote'],
  deskGuard: ['testnet/test/app/desk/guard'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Group = keyof typeof FILTERS;
