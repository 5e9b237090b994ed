import { on } from '../../../derive/derivation.ts';
import { ASSET_CREATED } from '../../asset/events.ts';
import type { Quest } from '../quest.ts';

export const launchAssetQuest: Quest = {
  id: 'launch_asset',
  title: 'Launch an asset',
  how: 'An asset that you created, as its issuer.',
  open: ({ assets, complete }) => ({
    handlers: [
      on(ASSET_CREATED, ({ assetId, issuer }) => {
        // an asset of an id that is taken is none
        if (assets.getAsset(assetId)?.issuer === issuer) complete(issuer);
      }),
    ],
  }),
};
