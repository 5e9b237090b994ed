import type { Asset } from '../../../../clients/ts/src/client.ts';
export function Picture({ asset }: { readonly asset: Asset }) {
  return <p>{asset.id}</p>;
}
