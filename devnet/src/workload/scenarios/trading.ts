import { bundleAddressOf, rightAddressOf } from 'strata-kit/client/asset-ids';
import type { Account } from '../accounts.ts';
import { type Scenario, scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { expectSuccess, NotNow, type Steps, sendAny } from '../step.ts';
import { call, does, FOREVER, NO_DEADLINE, pairOf } from './calls.ts';
import { aHolder, anAsset, another, aPart, ECONOMIC, INCOME, UNIT, VOTE } from './parts.ts';

/** What traders do on the EVM: the DEX, its pools, ERC-20 tokens over coins and rights, loans. */

const NATIVE = 10n ** 18n;
const POOL_GAS = { gasLimit: 4_000_000n };

const isTrader = ({ algorithm }: Account): boolean => algorithm === 'eth_secp256k1';

const approve = (stage: Stage, owner: Account, token: Uint8Array, spender: Uint8Array): Steps<unknown> =>
  does(stage, owner, token, 'approve(address,uint256)', [spender, FOREVER]);

/** Native against the stable coin; the first one sets the price: 2 stable for 1. */
const nativeLiquidity = scenario('add native liquidity', 6, function* (stage) {
  const trader = stage.take('trader');
  const [router, coin] = [stage.contract('router'), stage.contract('stable')];
  yield* approve(stage, trader, coin, router);
  const depth = BigInt(stage.random.between(50, 100));
  yield* does(
    stage,
    trader,
    router,
    'addLiquidityETH(address,uint256,uint256,uint256,address,uint256)',
    [coin, 2n * depth * UNIT, 0n, 0n, trader.bytes, NO_DEADLINE],
    { ...POOL_GAS, value: depth * NATIVE },
  );
  stage.pools.add('native');
});

const removeLiquidity = scenario('remove liquidity', 3, function* (stage) {
  const trader = stage.take('trader');
  const [router, coin] = [stage.contract('router'), stage.contract('stable')];
  yield* approve(stage, trader, coin, router);
  yield* does(
    stage,
    trader,
    router,
    'addLiquidityETH(address,uint256,uint256,uint256,address,uint256)',
    [coin, 20n * UNIT, 0n, 0n, trader.bytes, NO_DEADLINE],
    { ...POOL_GAS, value: 10n * NATIVE },
  );
  const pair = pairOf(stage.contract('factory'), coin, stage.contract('wrappedNative'));
  yield* approve(stage, trader, pair, router);
  yield* does(stage, trader, router, 'removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)', [
    coin,
    1_000_000_000n,
    0n,
    0n,
    trader.bytes,
    NO_DEADLINE,
  ]);
});

function nativePool(stage: Stage): { router: Uint8Array; native: Uint8Array; coin: Uint8Array } {
  if (!stage.pools.has('native')) throw new NotNow('no pool');
  return {
    router: stage.contract('router'),
    native: stage.contract('wrappedNative'),
    coin: stage.contract('stable'),
  };
}

const buyStable = scenario('swap native for stable', 30, function* (stage) {
  const trader = stage.take('trader');
  const { router, native, coin } = nativePool(stage);
  yield* does(
    stage,
    trader,
    router,
    'swapExactETHForTokens(uint256,address[],address,uint256)',
    [0n, [native, coin], trader.bytes, NO_DEADLINE],
    { value: BigInt(stage.random.between(1, 1_000)) * 10n ** 15n },
  );
});

const buyNative = scenario('swap stable for native', 25, function* (stage) {
  const trader = stage.take('trader');
  const { router, native, coin } = nativePool(stage);
  if (stage.random.oneIn(3) || !stage.approved.has(trader.name)) {
    yield* approve(stage, trader, coin, router);
    stage.approved.add(trader.name);
  }
  yield* does(stage, trader, router, 'swapExactTokensForETH(uint256,uint256,address[],address,uint256)', [
    BigInt(stage.random.between(1_000, 2_000_000)),
    0n,
    [coin, native],
    trader.bytes,
    NO_DEADLINE,
  ]);
});

/** Whole shares of an asset against the stable coin. */
const bundleLiquidity = scenario('add bundle liquidity', 4, function* (stage) {
  const asset = anAsset(stage);
  const trader = aHolder(stage, asset, [ECONOMIC, INCOME, VOTE], 60n * UNIT, isTrader);
  const [router, coin] = [stage.contract('router'), stage.contract('stable')];
  const bundle = bundleAddressOf(stage.parameters.namespace, asset.id);
  yield* approve(stage, trader, coin, router);
  yield* approve(stage, trader, bundle, router);
  yield* does(
    stage,
    trader,
    router,
    'addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)',
    [bundle, coin, 50n * UNIT, 150n * UNIT, 0n, 0n, trader.bytes, NO_DEADLINE],
    POOL_GAS,
  );
  stage.pools.add(asset.id);
});

const swapBundles = scenario('swap bundles', 18, function* (stage) {
  const asset = anAsset(stage);
  if (!stage.pools.has(asset.id)) throw new NotNow('no pool');
  const [router, coin] = [stage.contract('router'), stage.contract('stable')];
  const bundle = bundleAddressOf(stage.parameters.namespace, asset.id);
  const sells = stage.random.oneIn(2);
  const trader = sells
    ? aHolder(stage, asset, [ECONOMIC, INCOME, VOTE], 2n * UNIT, isTrader)
    : stage.take('trader');
  const path = sells ? [bundle, coin] : [coin, bundle];
  yield* approve(stage, trader, path[0] as Uint8Array, router);
  yield* does(stage, trader, router, 'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', [
    BigInt(stage.random.between(100_000, 1_000_000)),
    0n,
    path,
    trader.bytes,
    NO_DEADLINE,
  ]);
});

const wrap = scenario('wrap and unwrap', 8, function* (stage) {
  const trader = stage.take('trader');
  const native = stage.contract('wrappedNative');
  yield* does(stage, trader, native, 'deposit()', [], { value: NATIVE / 100n });
  yield* does(stage, trader, native, 'withdraw(uint256)', [NATIVE / 200n]);
});

const sendTokens = scenario('ERC-20 transfer', 25, function* (stage) {
  const trader = stage.take('trader');
  const to = another(stage, trader);
  const amount = BigInt(stage.random.between(1, 50_000));
  yield* does(stage, trader, stage.contract('stable'), 'transfer(address,uint256)', [to.bytes, amount]);
});

/** By an allowance, by somebody else. */
const sendFor = scenario('ERC-20 transferFrom', 5, function* (stage) {
  const [owner, spender] = [stage.take('trader'), stage.take('trader')];
  const coin = stage.contract('stable');
  yield* does(stage, owner, coin, 'approve(address,uint256)', [spender.bytes, 777n]);
  const to = stage.anyone('holder').bytes;
  yield* does(stage, spender, coin, 'transferFrom(address,address,uint256)', [owner.bytes, to, 700n]);
});

const sendNative = scenario('send native by the EVM', 20, function* (stage) {
  const trader = stage.take('trader');
  const to = another(stage, trader).bytes;
  const value = BigInt(stage.random.between(1, 10 ** 9));
  expectSuccess(yield* sendAny(call(stage, trader, to, new Uint8Array(), { value, gasLimit: 21_000n })));
});

const sendRights = scenario('transfer units by the EVM', 25, function* (stage) {
  const asset = anAsset(stage);
  const kind = stage.random.below(asset.kinds.length);
  const trader = aHolder(stage, asset, [kind], UNIT, isTrader);
  const token = rightAddressOf(stage.parameters.namespace, asset.id, kind);
  const units = aPart(stage, asset, kind, trader);
  const to = another(stage, trader).bytes;
  yield* does(stage, trader, token, 'transfer(address,uint256)', [to, units]);
});

const sendBundles = scenario('transfer bundles by the EVM', 10, function* (stage) {
  const asset = anAsset(stage);
  const trader = aHolder(stage, asset, [ECONOMIC, INCOME, VOTE], UNIT, isTrader);
  const token = bundleAddressOf(stage.parameters.namespace, asset.id);
  yield* does(stage, trader, token, 'transfer(address,uint256)', [another(stage, trader).bytes, 1_000n]);
});

const loan = scenario('borrow and repay', 6, function* (stage) {
  const trader = stage.take('trader');
  const [market, coin] = [stage.contract('lendingMarket'), stage.contract('stable')];
  yield* approve(stage, trader, coin, market);
  yield* does(stage, trader, market, 'supply(uint256)', [5_000n]);
  yield* does(stage, trader, market, 'deposit()', [], { value: NATIVE });
  yield* does(stage, trader, market, 'borrow(uint256)', [4_000n]);
  yield* does(stage, trader, market, 'repay(uint256)', [3_999n]);
});

export const TRADING: readonly Scenario[] = [
  nativeLiquidity,
  removeLiquidity,
  buyStable,
  buyNative,
  bundleLiquidity,
  swapBundles,
  wrap,
  sendTokens,
  sendFor,
  sendNative,
  sendRights,
  sendBundles,
  loan,
];
