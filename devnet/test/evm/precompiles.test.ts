import { getCreateAddress, Interface } from 'ethers';
import { decodeBech32, toChecksumAddress } from 'strata-kit/address';
import { bundleAddressOf, rightAddressOf } from 'strata-kit/client/asset-ids';
import { beforeAll, describe, expect, it } from 'vitest';
import { putAsset, registerTokens, setStatus } from '../../src/modules/asset/keeper.ts';
import type { Asset, Kind, Policy } from '../../src/modules/asset/records.ts';
import { account as accountOf } from '../../src/modules/auth/keeper.ts';
import { balance, moduleAddress } from '../../src/modules/bank/keeper.ts';
import { issue, lock, position } from '../../src/modules/rights/keeper.ts';
import { account, createEvmChain, type Delivered, type EvmChain, faces, fund, walletOf } from './support.ts';

/** modules.md, section 1: the test vector, with its addresses. */
const ASSET = '472937304b8fe0f9b158105de5a16c5a36f7e42c39dc03b3c0eef0e90960a38a';
const BUNDLE = '0xf03ca174a4f58c57e76960ec8eadde1f88aac3a3';
const RIGHT_0 = '0xae855a47f452acd8007d1051493b49f5478742dd';

const ERC20 = new Interface([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address,address) view returns (uint256)',
  'function transfer(address,uint256) returns (bool)',
  'function transferFrom(address,address,uint256) returns (bool)',
  'function approve(address,uint256) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
]);

const OPEN: Policy = { mode: 'POLICY_MODE_OPEN', requiredTypes: [], attesters: [] };

describe('the tokens of the chain', () => {
  const [alice, bob] = [walletOf(1), walletOf(2)];
  let chain: EvmChain;

  beforeAll(async () => {
    chain = await createEvmChain();
    fund(chain, alice, 10n ** 18n, 1_000n);
    fund(chain, bob, 10n ** 18n);
    putToken(OPEN);
    for (const [kindId, units] of [50n, 80n].entries())
      issue(chain.context, { assetId: ASSET, kindId, recipient: account(alice), units });
  });

  function putToken(policy: Policy, override: Policy | null = null): void {
    const kind = (kindId: number, policyOverride: Policy | null): Kind => ({
      kindId,
      class: 'KIND_CLASS_ECONOMIC',
      decimals: 6,
      bundle: true,
      transferable: true,
      term: null,
      multiplier: 1n,
      bridgeable: false,
      policyOverride,
    });
    const asset: Asset = {
      id: ASSET,
      issuer: account(bob),
      nonce: 0n,
      status: 'ASSET_STATUS_ACTIVE',
      policy,
      roles: { operator: '', releaser: '' },
      metaHash: '',
      settlementDenom: 'uusd',
      issuanceLocked: false,
      liensAllowed: false,
      distributionDenoms: [],
      kinds: [kind(0, null), kind(1, override)],
    };
    putAsset(chain.context, asset);
    registerTokens(chain.context, asset);
  }

  async function read(to: string, name: string, values: readonly unknown[] = []): Promise<unknown> {
    const { response } = await chain.call(alice, { to, face: ERC20 }, name, values, { gasLimit: 100_000n });
    expect(response.vm_error).toBe('');
    return ERC20.decodeFunctionResult(name, Buffer.from(response.ret, 'base64'))[0];
  }

  async function transfer(to: string, name: string, values: readonly unknown[], sender = alice) {
    chain.context.take();
    return chain.call(sender, { to, face: ERC20 }, name, values, { gasLimit: 300_000n });
  }

  function reasonOf({ response }: Delivered): unknown {
    expect(response.vm_error).toBe('execution reverted');
    expect(response.logs).toEqual([]);
    expect(chain.context.emitted).toEqual([]);
    return ERC20.parseError(Buffer.from(response.ret, 'base64'))?.args[0];
  }

  function transfersOf({ response }: Delivered) {
    return response.logs.map(({ address, topics, data }) => {
      const parsed = ERC20.parseLog({ topics, data: `0x${Buffer.from(data, 'base64').toString('hex')}` });
      return [address.toLowerCase(), parsed?.name, ...(parsed?.args.toArray() ?? [])];
    });
  }

  it('live at the addresses of the contract', () => {
    expect(`0x${Buffer.from(bundleAddressOf('aeva', ASSET)).toString('hex')}`).toBe(BUNDLE);
    expect(`0x${Buffer.from(rightAddressOf('aeva', ASSET, 0)).toString('hex')}`).toBe(RIGHT_0);
  });

  it('tell what they are', async () => {
    expect(await read(chain.at.stable, 'decimals')).toBe(6n);
    expect(await read(chain.at.stable, 'symbol')).toBe('USD');
    expect(await read(chain.at.stable, 'totalSupply')).toBe(1_000n);
    expect(await read(RIGHT_0, 'decimals')).toBe(6n);
    expect(await read(RIGHT_0, 'name')).toBe('Asset 47293730 kind 0');
    expect(await read(BUNDLE, 'symbol')).toBe('A47293730');
  });

  it('count what is transferable: of a bundle the least over its kinds', async () => {
    lock(chain.context, ASSET, 1, account(alice), 'encumbrance/1', 45n);
    expect(await read(RIGHT_0, 'balanceOf', [alice.address])).toBe(50n);
    expect(await read(BUNDLE, 'balanceOf', [alice.address])).toBe(35n);
    expect(await read(BUNDLE, 'totalSupply')).toBe(50n);
  });

  it('moves units with one event and one log', async () => {
    const delivered = await transfer(RIGHT_0, 'transfer', [bob.address, 7]);
    expect(delivered.response.vm_error).toBe('');
    expect(transfersOf(delivered)).toEqual([[RIGHT_0, 'Transfer', alice.address, bob.address, 7n]]);
    expect(chain.context.take()).toEqual([
      {
        type: 'rights.EventTransferred',
        fields: {
          asset_id: ASSET,
          kind_id: 0,
          from: account(alice),
          to: account(bob),
          units: '7',
          from_units_after: '43',
          to_units_after: '7',
        },
      },
    ]);
  });

  it('moves a bundle with an event a kind and one log', async () => {
    const delivered = await transfer(BUNDLE, 'transfer', [bob.address, 5]);
    expect(transfersOf(delivered)).toEqual([[BUNDLE, 'Transfer', alice.address, bob.address, 5n]]);
    expect(chain.context.take().map(({ fields }) => [fields.kind_id, fields.to_units_after])).toEqual([
      [0, '12'],
      [1, '5'],
    ]);
  });

  it('reverts with the path of the policy that denies, and nothing has happened', async () => {
    // kind 0 may move, kind 1 may not: the bundle goes back whole
    putToken(OPEN, { mode: 'POLICY_MODE_CLOSED', requiredTypes: [], attesters: [] });
    const delivered = await transfer(BUNDLE, 'transfer', [bob.address, 1]);
    expect(reasonOf(delivered)).toBe(`policy denied: asset/${ASSET}/kind/1/override/CLOSED/sender`);
    expect(position(chain.context.state, ASSET, 0, account(bob)).units).toBe(12n);
    putToken({ mode: 'POLICY_MODE_ATTESTED', requiredTypes: ['kyc'], attesters: [account(bob)] });
    expect(reasonOf(await transfer(RIGHT_0, 'transfer', [bob.address, 1]))).toBe(
      `policy denied: asset/${ASSET}/kind/0/ATTESTED/kyc/recipient`,
    );
    putToken(OPEN);
  });

  it('drops what a call inside has begun when the caller lives with its failure', async () => {
    // PUSH the calldata, CALL the bundle with it, POP the outcome, STOP; before it what returns these 0x22 bytes
    const runtime = `365f5f375f5f365f5f73${BUNDLE.slice(2)}5af15000`;
    const nonce = Number(accountOf(chain.context.state, account(alice))?.sequence ?? 0n);
    const created = await chain.send(alice, { data: `0x60228060095f395ff3${runtime}` });
    expect(created.response.vm_error).toBe('');
    const caller = getCreateAddress({ from: alice.address, nonce });
    const holder = account({ address: caller });
    for (const [kindId, units] of [10n, 1n].entries())
      issue(chain.context, { assetId: ASSET, kindId, recipient: holder, units });
    // kind 0 has moved when kind 1 fails
    const delivered = await transfer(caller, 'transfer', [bob.address, 5]);
    expect(delivered.response).toMatchObject({ vm_error: '', logs: [] });
    expect(chain.context.take()).toEqual([]);
    expect([0, 1].map((kindId) => position(chain.context.state, ASSET, kindId, holder).units)).toEqual([
      10n,
      1n,
    ]);
    // what it has moves
    await transfer(caller, 'transfer', [bob.address, 1]);
    expect(chain.context.take().map(({ fields }) => [fields.kind_id, fields.from_units_after])).toEqual([
      [0, '9'],
      [1, '0'],
    ]);
  });

  it.each(['ASSET_STATUS_LIQUIDATING', 'ASSET_STATUS_LIQUIDATED'] as const)(
    'does not move while the asset is %s, and still tells what there is',
    async (status) => {
      const before = await read(RIGHT_0, 'balanceOf', [alice.address]);
      setStatus(chain.context, ASSET, status);
      const refusal = `Transfer is refused: asset ${ASSET} is ${status}`;
      for (const token of [RIGHT_0, BUNDLE])
        expect(reasonOf(await transfer(token, 'transfer', [bob.address, 1]))).toBe(refusal);
      expect(await read(RIGHT_0, 'balanceOf', [alice.address])).toBe(before);
      setStatus(chain.context, ASSET, 'ASSET_STATUS_ACTIVE');
    },
  );

  it('is moved by whom the holder allows, and no further', async () => {
    const approved = await transfer(RIGHT_0, 'approve', [bob.address, 4]);
    expect(transfersOf(approved)).toEqual([[RIGHT_0, 'Approval', alice.address, bob.address, 4n]]);
    const moved = await transfer(RIGHT_0, 'transferFrom', [alice.address, bob.address, 3], bob);
    expect(transfersOf(moved)).toEqual([[RIGHT_0, 'Transfer', alice.address, bob.address, 3n]]);
    expect(await read(RIGHT_0, 'allowance', [alice.address, bob.address])).toBe(1n);
    const denied = await transfer(RIGHT_0, 'transferFrom', [alice.address, bob.address, 2], bob);
    expect(reasonOf(denied)).toBe('insufficient allowance: 1 is allowed, 2 is needed');
  });

  it('moves the stable coin in the bank', async () => {
    const delivered = await transfer(chain.at.stable, 'transfer', [bob.address, 250]);
    expect(balance(chain.context.state, account(bob), 'uusd')).toBe(250n);
    expect(transfersOf(delivered)).toEqual([
      [chain.at.stable.toLowerCase(), 'Transfer', alice.address, bob.address, 250n],
    ]);
    const transfers = delivered.events.filter(({ type }) => type === 'transfer');
    expect(transfers.map(({ attributes }) => attributes[2]?.[1])).toContain('250uusd');
    const tooMuch = await transfer(chain.at.stable, 'transfer', [bob.address, 751]);
    expect(reasonOf(tooMuch)).toBe('spendable balance 750uusd is smaller than 751uusd: insufficient funds');
    const module = moduleAddress(chain.context.parameters, 'payout');
    const bytes = decodeBech32(module)?.bytes ?? new Uint8Array(20);
    expect(reasonOf(await transfer(chain.at.stable, 'transfer', [toChecksumAddress(bytes), 1]))).toBe(
      `${module} is not allowed to receive funds: unauthorized`,
    );
  });

  it('refuses what is no plain call', async () => {
    const { response } = await chain.send(alice, { to: RIGHT_0, data: '0xdeadbeef', gasLimit: 100_000n });
    expect(response).toMatchObject({ vm_error: 'execution reverted', ret: '' });
    const withValue = await chain.call(alice, { to: RIGHT_0, face: ERC20 }, 'totalSupply', [], { value: 1n });
    expect(reasonOf(withValue)).toBe('only plain calls without value are answered');
    const short = await chain.call(alice, { to: RIGHT_0, face: ERC20 }, 'totalSupply', [], {
      gasLimit: 22_000n,
    });
    expect(short.response).toMatchObject({ vm_error: 'out of gas', gas_used: '22000' });
  });

  it('lends and takes back through a contract: Repay names the account', async () => {
    const market = { to: chain.at.lendingMarket, face: faces.lendingMarket };
    await transfer(chain.at.stable, 'approve', [chain.at.lendingMarket, 2n ** 256n - 1n]);
    await chain.call(alice, market, 'supply', [500]);
    await chain.call(alice, market, 'deposit', [], { value: 10n ** 14n });
    // 10^14 · 2·10^6 / 10^18 / 2 = 100
    const tooMuch = await chain.call(alice, market, 'borrow', [101]);
    expect(
      faces.lendingMarket.parseError(Buffer.from(tooMuch.response.ret, 'base64'))?.args.toArray(),
    ).toEqual([101n, 100n]);
    expect((await chain.call(alice, market, 'borrow', [100])).response.vm_error).toBe('');
    const repaid = await chain.call(alice, market, 'repay', [60]);
    const log = repaid.response.logs.at(-1);
    const parsed = faces.lendingMarket.parseLog({
      topics: log?.topics ?? [],
      data: `0x${Buffer.from(log?.data ?? '', 'base64').toString('hex')}`,
    });
    expect([parsed?.name, ...(parsed?.args.toArray() ?? [])]).toEqual(['Repay', alice.address, 60n]);
  });
});
