import type { ComponentProps } from 'preact';
import { ErrorBoundary, useRoute } from 'preact-iso';
import { lazyPart } from '../parts/lazy-part.tsx';
import { type SettlementActions, SettlementPage } from './settlement/settlement-page.tsx';

// what signs is heavy: who only reads does not load it
const Signing = lazyPart(() => import('./settlement/actions.tsx').then((module) => module.SettlementActions));

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
