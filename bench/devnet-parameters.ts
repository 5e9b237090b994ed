/** A chain without fees, for benches that execute on the reference chain's machine alone. */
export const BENCH_PARAMETERS = {
  chainId: 'bench-1',
  evmChainId: 9_000n,
  namespace: 'aeva',
  hrp: 'aeva',
  gasDenom: 'aaeva',
  gasDecimals: 18 as const,
  evmDenom: 'aaeva',
  stableDenom: 'uusd',
  minGasPrice: 0n,
  bridgeAuthority: '',
  relayer: '',
};
