import type { Mutation } from '../mutation.ts';

export const APP: readonly Mutation[] = [
  {
    id: 'app-ask-rounded-down',
    file: 'testnet/src/desk/quote.ts',
    find: 'ask: ceilDiv(mid * share * ASK, SCALE) };',
    replace: 'ask: (mid * share * ASK) / SCALE };',
    tests: ['deskPrices'],
  },
  {
    id: 'app-price-just-at-the-bound',
    file: 'testnet/src/desk/guard.ts',
    find: 'if (off * 100n > mean * percent) {',
    replace: 'if (off * 100n >= mean * percent) {',
    tests: ['deskPrices', 'deskGuard'],
  },
  {
    id: 'app-proposals-without-the-new-one',
    file: 'testnet/src/desk/caps.ts',
    find: '(promised + value) * 2n > hourlyValue',
    replace: 'promised * 2n > hourlyValue',
    tests: ['deskGuard'],
  },
  {
    id: 'app-first-forwarded-host',
    file: 'testnet/src/hosts.ts',
    find: ".split(',').at(-1)",
    replace: ".split(',').at(0)",
    tests: ['appHosts'],
  },
];
