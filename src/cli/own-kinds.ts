import { text } from 'strata-kit/cli/kinds';

export const assetId = text('an asset id: 64 lower-case hex digits', '<id>', /^[0-9a-f]{64}$/);
