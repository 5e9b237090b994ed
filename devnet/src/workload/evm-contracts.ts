/** The contracts that stand at genesis, EIP-55. */
export type EvmContracts = Readonly<Record<ContractName, string>>;

export type ContractName =
  | 'factory'
  | 'router'
  | 'wrappedNative'
  | 'stable'
  | 'lendingMarket'
  | 'reverter'
  | 'maker';
