import { createRequire } from 'node:module';

/** A compiled contract. */
export interface Artifact {
  /** JSON. */
  readonly abi: string;
  /** Creation code as 0x-hex, without arguments. */
  readonly bytecode: string;
}

const packages = createRequire(import.meta.url);

/**
 * A contract of Uniswap V2. Its packages are under the GPL-3 (README): they are read where they are installed, and
 * nothing of them is in this tree.
 */
export function uniswapArtifact(
  name: 'UniswapV2Factory' | 'UniswapV2Pair' | 'UniswapV2Router02' | 'WETH9',
): Artifact {
  const home = name === 'UniswapV2Factory' || name === 'UniswapV2Pair' ? 'v2-core' : 'v2-periphery';
  const built = packages(`@uniswap/${home}/build/${name}.json`) as { abi: unknown; bytecode: string };
  return { abi: JSON.stringify(built.abi), bytecode: `0x${built.bytecode.replace(/^0x/, '')}` };
}
