import type { Mutation } from '../mutation.ts';

/** Of the modules dex, network and quests. */
export const MARKETS: readonly Mutation[] = [
  {
    id: 'dex-price-upside-down',
    file: 'src/modules/dex/priced-pool.ts',
    find: 'return (reserves.quote * pool.unit) / reserves.base;',
    replace: 'return (reserves.base * pool.unit) / reserves.quote;',
    tests: ['dexByHand', 'dex'],
  },
  {
    id: 'dex-price-before-an-empty-sync',
    file: 'src/modules/dex/derivation.ts',
    find: 'const before = isPrice(sync) && isSameSlot ? undefined : last;',
    replace: 'const before = isSameSlot ? undefined : last;',
    tests: ['dexByHand'],
  },
  {
    id: 'dex-mean-rounded-down',
    file: 'src/modules/dex/mean.ts',
    find: '(scaled + (1n << bits) / 2n) >> bits',
    replace: 'scaled >> bits',
    tests: ['dexMean'],
  },
  {
    id: 'dex-logs-of-one-index',
    file: 'src/modules/dex/derivation.ts',
    find: 'log.logIndex > before.logIndex) return log;',
    replace: 'log.logIndex >= before.logIndex) return log;',
    tests: ['dexByHand', 'dex'],
  },
  {
    id: 'network-day-begins-with-each-block',
    file: 'src/modules/network/derivation.ts',
    find: 'if (day !== undefined && next <= day) return day;',
    replace: 'if (day !== undefined && next < day) return day;',
    tests: ['network'],
  },
  {
    id: 'network-service-is-community',
    file: 'src/modules/network/derivation.ts',
    find: "if (!services.has((event as AssetCreated).issuer)) add('community_assets');",
    replace: "add('community_assets');",
    tests: ['network'],
  },
  {
    id: 'network-distributions-of-any-denom',
    file: 'src/modules/network/derivation.ts',
    find: '          if (denom !== parameters.stableDenom) return;\n',
    replace: '',
    tests: ['network'],
  },
  {
    id: 'quests-completed-again',
    file: 'src/modules/quests/derivation.ts',
    find: 'if ((has & ~had & (1 << place)) === 0) continue;',
    replace: 'if ((has & (1 << place)) === 0) continue;',
    tests: ['quests'],
  },
  {
    id: 'quests-gift-is-a-sale',
    file: 'src/modules/quests/quests/sell-strip.ts',
    find: 'isPaid && given.length > 0 && given.every',
    replace: 'isPaid && given.every',
    tests: ['quests'],
  },
  {
    id: 'quests-dividend-of-pledged-units',
    file: 'src/modules/quests/quests/first-dividend.ts',
    find: 'if (units > 0n && units > routed) complete(holder);',
    replace: 'if (units > 0n) complete(holder);',
    tests: ['quests'],
  },
  {
    id: 'quests-sender-of-the-next-message',
    file: 'src/modules/quests/messages.ts',
    find: 'at.txIndex === txIndex && at.msgIndex < msgIndex',
    replace: 'at.txIndex === txIndex && at.msgIndex <= msgIndex',
    tests: ['quests'],
  },
];
