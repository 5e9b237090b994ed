export interface AccessListEntry {
  readonly address: Uint8Array;
  readonly slots: readonly Uint8Array[];
}

const TX_GAS = 21_000n;
const CREATION_GAS = 32_000n;
const ZERO_BYTE_GAS = 4;
const BYTE_GAS = 16;
const INITCODE_WORD_GAS = 2n;
const ADDRESS_GAS = 2_400n;
const SLOT_GAS = 1_900n;

/** What a tx pays before anything runs, by the rules of Shanghai and Cancun (EIP-2028, 2930, 3860). */
export function intrinsicGasOf({
  to,
  data,
  accessList,
}: {
  readonly to: Uint8Array | undefined;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
}): bigint {
  let dataGas = 0;
  for (let i = 0; i < data.length; i++) dataGas += data[i] === 0 ? ZERO_BYTE_GAS : BYTE_GAS;
  let gas = TX_GAS + BigInt(dataGas);
  if (to === undefined) gas += CREATION_GAS + INITCODE_WORD_GAS * BigInt(Math.ceil(data.length / 32));
  for (const { slots } of accessList) gas += ADDRESS_GAS + SLOT_GAS * BigInt(slots.length);
  return gas;
}
