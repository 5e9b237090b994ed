import { readFileSync } from 'node:fs';
import { keccak256 } from 'ethers';
import { expect, it } from 'vitest';
import { ARTIFACTS, compileContracts } from '../../../test/support/contracts.ts';
import { uniswapArtifact } from '../../src/modules/evm/artifact.ts';
import { genesisContracts } from '../../src/modules/evm/genesis.ts';
import { PARAMETERS } from '../support/context.ts';

it('has of its own contracts what the compiler makes of the sources', () => {
  expect(values(compileContracts())).toEqual(values(readFileSync(ARTIFACTS, 'utf8')));
});

it('finds pairs where the router looks for them: the pair is the one that its library names', () => {
  const hash = keccak256(uniswapArtifact('UniswapV2Pair').bytecode);
  expect(hash).toBe('0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f');
  expect(uniswapArtifact('UniswapV2Router02').bytecode).toContain(hash.slice(2));
  expect(uniswapArtifact('UniswapV2Factory').bytecode).toContain(
    uniswapArtifact('UniswapV2Pair').bytecode.slice(2),
  );
});

it('stands at addresses that a chain of this namespace always has (found with ethers)', () => {
  expect(genesisContracts(PARAMETERS)).toEqual({
    wrappedNative: '0x26Ca623F267f65633e567D12EED43C6aAF2D4694',
    factory: '0xA028fa87fb256b6c81e19a91393aDE591aD09c18',
    router: '0x345A1E3A540cC9a6dc0020F4BC9aEA4b3C6cCA2D',
    lendingMarket: '0x504a8651Aa30Fdc7960b6474E696452B39BeC615',
    reverter: '0xAf1806D04A860412f4Eb069a33465ab6917F8f48',
    maker: '0xaAB61b8B0a5A902EA3f60140D23b020F0cf342bF',
    stable: '0xBf865B72198B9dD322FF65731E883d74b68B7685',
  });
});

/** Names, interfaces and codes, whatever the formatter made of the lines. */
function values(text: string): readonly string[] {
  return [...text.matchAll(/export const \w+|`[^`]*`|'0x[^']*'/g)].map(([found]) => found);
}
