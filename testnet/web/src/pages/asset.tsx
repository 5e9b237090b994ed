import { useRoute } from 'preact-iso';
import { AssetPage } from './asset/asset-page.tsx';

export function AssetOfUrl() {
  const id = useRoute().params.id ?? '';
  return <AssetPage key={id} id={id} />;
}
