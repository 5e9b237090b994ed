import type { ComponentProps } from 'preact';
import { ErrorBoundary, lazy, useRoute } from 'preact-iso';
import { type SettlementActions, SettlementPage } from './settlement/settlement-page.tsx';

// what signs is heavy: who only reads does not load it
const Signing = lazy(() => import('./settlement/actions.tsx').then((module) => module.SettlementActions));

export function SettlementOfUrl() {
  return <SettlementPage id={useRoute().params.id ?? ''} Actions={Actions} />;
}

function Actions(props: ComponentProps<SettlementActions>) {
  return (
    <ErrorBoundary>
      <Signing {...props} />
    </ErrorBoundary>
  );
}
