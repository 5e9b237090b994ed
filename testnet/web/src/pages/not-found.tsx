import { Page } from '../parts/page.tsx';

export function NotFound() {
  return (
    <Page title="Not found" lead="There is no page at this address.">
      <p>
        Look for a block, a transaction, an account or an asset with <kbd>/</kbd>, or begin at{' '}
        <a href="/">the overview</a>.
      </p>
    </Page>
  );
}
