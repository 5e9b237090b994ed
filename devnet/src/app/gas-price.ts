import type { ChainParameters } from './parameters.ts';

type Priced = Pick<ChainParameters, 'gasDecimals' | 'minGasPrice'>;

const EVM_DECIMALS = 18;

/** The least fee of a tx that is no Ethereum tx, in gasDenom, rounded up. */
export function leastFee(parameters: Priced, gasLimit: bigint): bigint {
  const units = 10n ** BigInt(EVM_DECIMALS - parameters.gasDecimals);
  return (parameters.minGasPrice * gasLimit + units - 1n) / units;
}

/** The least price of gas in gasDenom, as a decimal: `1000000000`, or `0.001` with 6 decimals in the bank. */
export function gasPriceText({ gasDecimals, minGasPrice }: Priced): string {
  const places = EVM_DECIMALS - gasDecimals;
  if (places === 0) return String(minGasPrice);
  const digits = String(minGasPrice).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return `${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`;
}
