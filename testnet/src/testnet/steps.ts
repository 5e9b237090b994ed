import { accountState } from 'strata-kit/client/accounts';
import { bech32Of, evmAddressOf, type Key } from 'strata-kit/client/keys';
import { NEW_ASSET, withNewAsset } from 'strata-kit/client/new-asset';
import { buildTx } from 'strata-kit/client/tx';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Chain } from '../chain.ts';
import { hashDocument } from '../launchpad/document.ts';
import { feeOf, gasLimitOf } from '../sender/gas.ts';
import { ONE, TEST_ASSETS, type TestAsset } from './assets.ts';
import { ethereumTx, pairOf, poolCalls } from './ethereum.ts';
import { assetWith, balanceOf, bundleToken, hasPool } from './look.ts';

/** What a testnet lacks, and the txs that make it. */
export interface TestnetStep {
  readonly what: string;
  /** In the order of their sequences. */
  readonly txs: readonly Uint8Array[];
}

export interface TestnetKeys {
  readonly faucet: Key;
  readonly desk: Key;
}

/** What the desk has of the stable coin at least, beside its pools, and what it gets when it has less. */
const LEAST_COINS = 200_000n * ONE;
const COINS = 3_000_000n * ONE;
const LEAST_GAS = 10n ** 20n;
const GAS = 10n ** 21n;
/** In which a tx may stand: one whose answer was lost is not included much later. */
const TIMEOUT_BLOCKS = 60;

/**
 * The next thing that is missing; undefined when nothing is. Sequences are read before anything is looked for: a tx of an
 * earlier look that a block takes in between has raised its signer's, so that what is made here would be refused, and
 * nothing is made twice. Errors: AppError, ChainError and ClientError as the chain answers.
 */
export async function nextStep(chain: Chain, keys: TestnetKeys): Promise<TestnetStep | undefined> {
  const [faucet, desk] = [await signerOf(chain, keys.faucet), await signerOf(chain, keys.desk)];
  const paying = await coinsStep(chain, faucet, desk);
  if (paying !== undefined) return paying;
  for (const asset of TEST_ASSETS) {
    const step = await assetStep(chain, desk, asset);
    if (step !== undefined) return step;
  }
  return undefined;
}

/** The instruments of a testnet that lacks nothing. */
export async function testInstruments(
  chain: Chain,
  desk: Key,
): Promise<readonly { readonly symbol: string; readonly assetId: string }[]> {
  const address = bech32Of(chain.facts.hrp, desk);
  const found = await Promise.all(
    TEST_ASSETS.map(async ({ document }) => {
      const assetId = await assetWith(chain, desk, address, hashDocument(document).metaHash);
      return assetId === undefined ? [] : [{ symbol: document.symbol, assetId }];
    }),
  );
  return found.flat();
}

interface Signer {
  readonly key: Key;
  /** Bech32. */
  readonly address: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
}

/** An account that the chain has not seen has no number: only its balance is looked at then. */
async function signerOf({ codec, node, facts }: Chain, key: Key): Promise<Signer> {
  const address = bech32Of(facts.hrp, key);
  const state = await accountState(codec, node, address);
  return { key, address, accountNumber: state?.number ?? 0n, sequence: state?.sequence ?? 0n };
}

async function coinsStep(chain: Chain, faucet: Signer, desk: Signer): Promise<TestnetStep | undefined> {
  const { stableDenom, gasDenom } = chain.facts;
  const coins = await balanceOf(chain, desk.address, stableDenom);
  const gas = await balanceOf(chain, desk.address, gasDenom);
  if (coins >= LEAST_COINS && gas >= LEAST_GAS) return undefined;
  const amount = [
    { denom: gasDenom, amount: String(GAS) },
    { denom: stableDenom, amount: String(COINS) },
  ].sort((a, b) => (a.denom < b.denom ? -1 : 1));
  const message = {
    '@type': '/cosmos.bank.v1beta1.MsgSend',
    ...{ from_address: faucet.address, to_address: desk.address, amount },
  };
  return {
    what: `${COINS / ONE} coins for the desk ${desk.address}`,
    txs: [await cosmosTx(chain, faucet, [message])],
  };
}

async function assetStep(chain: Chain, desk: Signer, asset: TestAsset): Promise<TestnetStep | undefined> {
  const { document, pool } = asset;
  const { metaHash } = hashDocument(document);
  const assetId = await assetWith(chain, desk.key, desk.address, metaHash);
  if (assetId === undefined) {
    const messages = await withNewAsset(
      chain.codec,
      chain.node,
      launchMessages(chain, desk.address, asset, metaHash),
      desk.key,
      chain.facts.hrp,
    );
    return {
      what: `the asset ${document.symbol}, ${document.name}`,
      txs: [await cosmosTx(chain, desk, messages)],
    };
  }
  const { contracts } = chain.facts;
  if (contracts?.router === undefined) return undefined;
  const token = await bundleToken(chain, assetId);
  if (await hasPool(chain, assetId, pairOf(contracts.factory, token, contracts.stable))) return undefined;
  const calls = poolCalls(contracts.router, evmAddressOf(desk.key), [
    { token, amount: pool.shares * ONE },
    { token: contracts.stable, amount: pool.coins * ONE },
  ]);
  return {
    what: `a pool of ${pool.shares} ${document.symbol} and ${pool.coins} stable coins`,
    txs: calls.map((call, i) => ethereumTx(chain, desk.key, desk.sequence + BigInt(i), call)),
  };
}

/** Create, issue every kind to the desk, end issuance: as the launch wizard does. */
function launchMessages(
  { facts }: Chain,
  issuer: string,
  { classes, supply }: TestAsset,
  metaHash: string,
): readonly JsonObject[] {
  const { namespace, stableDenom } = facts;
  const one = { decimals: 6, bundle: true, transferable: true, multiplier: '1', bridgeable: true };
  return [
    {
      '@type': `/${namespace}.asset.v1.MsgCreateAsset`,
      issuer,
      meta_hash: Buffer.from(metaHash, 'hex').toString('base64'),
      settlement_denom: stableDenom,
      kinds: classes.map((name) => ({ class: `KIND_CLASS_${name}`, ...one })),
    },
    ...classes.map((_, kind_id) => ({
      '@type': `/${namespace}.rights.v1.MsgIssue`,
      ...{ issuer, asset_id: NEW_ASSET, kind_id, recipient: issuer, units: String(supply * ONE) },
    })),
    { '@type': `/${namespace}.asset.v1.MsgLockIssuance`, issuer, asset_id: NEW_ASSET },
  ];
}

async function cosmosTx(chain: Chain, signer: Signer, messages: readonly JsonObject[]): Promise<Uint8Array> {
  const gasLimit = await gasLimitOf(chain, signer.key, messages);
  const { height } = await chain.node.status();
  const timeoutHeight = BigInt(height + TIMEOUT_BLOCKS);
  const content = { messages, gasLimit, fee: feeOf(chain, gasLimit), timeoutHeight };
  return buildTx(chain.codec, content, [signer], chain.facts.chainId);
}
