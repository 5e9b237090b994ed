import { command } from 'strata-kit/cli/command';
import { height, onOff, text } from 'strata-kit/cli/kinds';
import { OWN_FLAG, setting } from 'strata-kit/cli/setting';
import { StrataError } from 'strata-kit/errors';
import { STORE, STORE_RULE, storeOf } from '../../settings/store.ts';
import { assetId } from '../own-kinds.ts';

export const state = command({
  name: 'state',
  summary: "print what an asset's holders or an account had as of a height, and the income",
  settings: STORE,
  rules: [STORE_RULE],
  flags: [
    setting('height', height, { ...OWN_FLAG, text: 'as of which height (default: the newest)' }),
    setting('asset', assetId, { ...OWN_FLAG, text: 'positions of its holders, and its accruals' }),
    setting('account', text('an address', '<addr>'), {
      ...OWN_FLAG,
      text: 'its positions, in this asset where one is given, and what it may claim',
    }),
    setting('json', onOff, { ...OWN_FLAG, text: 'print it as JSON', preset: false }),
  ],
  examples: [
    'strata state --height 5000 --asset 4729…a38a',
    'strata state --height 5000 --account aeva1… --json',
  ],
  options: ({ height: asOf, asset, account, json, ...given }) => {
    if (asset === undefined && account === undefined) {
      throw new StrataError(
        'config_invalid',
        'state needs an asset or an account: give --asset <id> or --account <addr>',
      );
    }
    return { store: storeOf(given), height: asOf, assetId: asset, account, json };
  },
  run: async (options, context) => (await import('../run/state.ts')).state(options, context),
});
