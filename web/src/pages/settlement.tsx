import { useRoute } from 'preact-iso';
import { SettlementPage } from './settlement/settlement-page.tsx';

export function SettlementOfUrl() {
  return <SettlementPage id={useRoute().params.id ?? ''} />;
}
