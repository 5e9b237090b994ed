import { useState } from 'preact/hooks';
import { ErrorBoundary, Route, Router } from 'preact-iso';
import { PAGE_PATHS } from '../../../src/page-paths.ts';
import { NotFound } from '../pages/not-found.tsx';
import { Overview } from '../pages/overview.tsx';
import { Waiting } from '../parts/answer.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import css from './pages.module.css';

/** Every page but the first is loaded when it is opened. One line a page. */
const Blocks = lazyPart(() => import('../pages/blocks.tsx').then(({ Blocks: page }) => page));
const Assets = lazyPart(() => import('../pages/assets.tsx').then(({ Assets: page }) => page));
const Asset = lazyPart(() => import('../pages/asset.tsx').then(({ AssetOfUrl: page }) => page));
const Account = lazyPart(() => import('../pages/account.tsx').then(({ AccountOfUrl: page }) => page));
const Tx = lazyPart(() => import('../pages/tx.tsx').then(({ TxOfUrl: page }) => page));
const Txs = lazyPart(() => import('../pages/txs.tsx').then(({ Txs: page }) => page));
const Block = lazyPart(() => import('../pages/block.tsx').then(({ BlockOfUrl: page }) => page));
const Settlements = lazyPart(() => import('../pages/settlements.tsx').then(({ Settlements: page }) => page));
const Settlement = lazyPart(() =>
  import('../pages/settlement.tsx').then(({ SettlementOfUrl: page }) => page),
);
const Delegation = lazyPart(() =>
  import('../pages/delegation.tsx').then(({ DelegationOfUrl: page }) => page),
);
const Encumbrance = lazyPart(() =>
  import('../pages/encumbrance.tsx').then(({ EncumbranceOfUrl: page }) => page),
);
const Quests = lazyPart(() => import('../pages/quests.tsx').then(({ Quests: page }) => page));
const QuestsOf = lazyPart(() => import('../pages/quests-of.tsx').then(({ QuestsOf: page }) => page));
const Market = lazyPart(() => import('../pages/market.tsx').then(({ Market: page }) => page));
const MarketOf = lazyPart(() => import('../pages/market-of.tsx').then(({ MarketOf: page }) => page));
const Checks = lazyPart(() => import('../pages/checks.tsx').then(({ Checks: page }) => page));
const Bridge = lazyPart(() => import('../pages/bridge.tsx').then(({ Bridge: page }) => page));
const Wallet = lazyPart(() => import('../pages/wallet.tsx').then(({ Wallet: page }) => page));
const Faucet = lazyPart(() => import('../pages/faucet.tsx').then(({ Faucet: page }) => page));
const Desk = lazyPart(() => import('../pages/desk.tsx').then(({ Desk: page }) => page));
const Launch = lazyPart(() => import('../pages/launch.tsx').then(({ Launch: page }) => page));

export function Pages() {
  const [isLoading, setLoading] = useState(false);
  return (
    <ErrorBoundary>
      {isLoading && (
        <div class={css.coming}>
          <Waiting rows={1} />
        </div>
      )}
      <Router onLoadStart={() => setLoading(true)} onLoadEnd={() => setLoading(false)}>
        <Route path={PAGE_PATHS.overview} component={Overview} />
        <Route path={PAGE_PATHS.block} component={Block} />
        <Route path={PAGE_PATHS.blocks} component={Blocks} />
        <Route path={PAGE_PATHS.assets} component={Assets} />
        <Route path={PAGE_PATHS.asset} component={Asset} />
        <Route path={PAGE_PATHS.account} component={Account} />
        <Route path={PAGE_PATHS.tx} component={Tx} />
        <Route path={PAGE_PATHS.txs} component={Txs} />
        <Route path={PAGE_PATHS.settlements} component={Settlements} />
        <Route path={PAGE_PATHS.settlement} component={Settlement} />
        <Route path={PAGE_PATHS.delegation} component={Delegation} />
        <Route path={PAGE_PATHS.encumbrance} component={Encumbrance} />
        <Route path={PAGE_PATHS.quests} component={Quests} />
        <Route path={PAGE_PATHS.questsOf} component={QuestsOf} />
        <Route path={PAGE_PATHS.market} component={Market} />
        <Route path={PAGE_PATHS.marketOf} component={MarketOf} />
        <Route path={PAGE_PATHS.checks} component={Checks} />
        <Route path={PAGE_PATHS.bridge} component={Bridge} />
        <Route path={PAGE_PATHS.desk} component={Desk} />
        <Route path={PAGE_PATHS.launch} component={Launch} />
        <Route path={PAGE_PATHS.wallet} component={Wallet} />
        <Route path={PAGE_PATHS.faucet} component={Faucet} />
        <Route default component={NotFound} />
      </Router>
    </ErrorBoundary>
  );
}
