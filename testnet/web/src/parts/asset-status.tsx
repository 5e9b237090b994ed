import type { AssetStatus } from '../../../../clients/ts/src/client.ts';
import { STATUS_WORDS } from '../text/assets.ts';
import { Badge } from './badge.tsx';

export function AssetStatusBadge({ status }: { readonly status: AssetStatus }) {
  const { word, tone } = STATUS_WORDS[status];
  return <Badge tone={tone}>{word}</Badge>;
}
