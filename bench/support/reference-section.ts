import { type ChainSection, chainSection } from 'strata-devnet/chain-section';
import { DEFAULT_PARAMETERS } from 'strata-devnet/devnet';

/** What an indexer of a corpus, or of a devnet that nobody has told otherwise, is configured with. */
export function referenceSection(): ChainSection {
  return chainSection({ ...DEFAULT_PARAMETERS, bridgeAuthority: '', relayer: '' });
}

export function isReferenceChain(chainId: string): boolean {
  return chainId === DEFAULT_PARAMETERS.chainId;
}
