import { beforeAll, describe, expect, it } from 'vitest';
import { balance } from '../../src/modules/bank/keeper.ts';
import { account, createEvmChain, type Delivered, type EvmChain, faces, fund, walletOf } from './support.ts';

const WHOLE = 10n ** 18n;
const LATE = 4_000_000_000n;

describe('Uniswap V2 on the chain', () => {
  const alice = walletOf(1);
  let chain: EvmChain;
  let added: Delivered;

  beforeAll(async () => {
    chain = await createEvmChain();
    fund(chain, alice, 10_000n * WHOLE, 10n ** 13n);
    const stable = { to: chain.at.stable, face: faces.pair };
    await chain.call(alice, stable, 'approve', [chain.at.router, 2n ** 256n - 1n]);
    added = await chain.call(
      alice,
      router(),
      'addLiquidityETH',
      [chain.at.stable, 2_000_000_000n, 0, 0, alice.address, LATE],
      { value: 1_000n * WHOLE },
    );
  });

  function router() {
    return { to: chain.at.router, face: faces.router };
  }

  it('mints liquidity of sqrt(1000·10^18 · 2000·10^6) less 1000 for ever', () => {
    // sqrt(2·10^30) = 1414213562373095.04…
    const mints = logsOf(added, 'Mint');
    expect(mints).toHaveLength(1);
    const [, , liquidity] = faces.router.decodeFunctionResult('addLiquidityETH', bytes(added.response.ret));
    expect(liquidity).toBe(1_414_213_562_372_095n);
  });

  it('gives for one native coin what the constant product says', async () => {
    // 10^18·997·2·10^9 / (10^21·1000 + 10^18·997) = 1994·10^27 / 1000997·10^18 = 1992013.96…
    const before = balance(chain.context.state, account(alice), 'uusd');
    const swapped = await chain.call(
      alice,
      router(),
      'swapExactETHForTokens',
      [0, [chain.at.wrappedNative, chain.at.stable], alice.address, LATE],
      { value: WHOLE },
    );
    expect(swapped.response.vm_error).toBe('');
    expect(balance(chain.context.state, account(alice), 'uusd') - before).toBe(1_992_013n);
    expect(logsOf(swapped, 'Swap')).toHaveLength(1);
    const [sync] = logsOf(swapped, 'Sync');
    const reserves = [sync?.args[0], sync?.args[1]].sort((a, b) => (a < b ? -1 : 1));
    expect(reserves).toEqual([2_000_000_000n - 1_992_013n, 1_001n * WHOLE]);
  });

  it('says why it refuses, and charges the gas all the same', async () => {
    const before = balance(chain.context.state, account(alice), 'aaeva');
    const refused = await chain.call(
      alice,
      router(),
      'swapExactETHForTokens',
      [10n ** 12n, [chain.at.wrappedNative, chain.at.stable], alice.address, LATE],
      { value: WHOLE, maxFeePerGas: 10n ** 9n },
    );
    expect(refused.response.vm_error).toBe('execution reverted');
    expect(refused.response.logs).toEqual([]);
    expect(faces.router.parseError(bytes(refused.response.ret))?.args[0]).toBe(
      'UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT',
    );
    const paid = before - balance(chain.context.state, account(alice), 'aaeva');
    expect(paid).toBe(BigInt(refused.response.gas_used) * 10n ** 9n);
  });

  function logsOf({ response }: Delivered, name: string) {
    return response.logs.flatMap(({ topics, data }) => {
      const parsed = faces.pair.parseLog({ topics, data: bytes(data) });
      return parsed?.name === name ? [parsed] : [];
    });
  }
});

function bytes(base64: string): string {
  return `0x${Buffer.from(base64, 'base64').toString('hex')}`;
}
