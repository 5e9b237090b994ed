import { ETHEREUM_TYPE_URLS, REFERENCE_NAMESPACE } from 'strata-kit/parameters';
import { splitRange } from '../../../src/chain/envelope.ts';
import { askChainFacts } from '../../../src/chain/facts.ts';
import { createDecoder } from '../../../src/decode/decoder.ts';
import type { BlockFacts, FactFilter } from '../../../src/derive/facts.ts';
import { readNativeFacts } from '../../../src/derive/native-facts.ts';
import type { DevnetNode } from '../../support/devnet-node.ts';

const RANGE_BLOCKS = 50;
const SILENT = { info: () => {}, warn: () => {} };

/** A devnet's blocks as facts: fetched from its node, decoded, and read out of the decoded tables as the writer does. */
export async function factsOf(
  { source, height }: Pick<DevnetNode, 'source' | 'height'>,
  filter: FactFilter,
): Promise<BlockFacts[]> {
  const told = await askChainFacts(source, SILENT);
  const { hrp = '', evmDenom = '', moduleAccounts, descriptorSet } = told;
  const decoder = createDecoder({
    hrp,
    namespace: REFERENCE_NAMESPACE,
    evmDenom,
    moduleAccounts,
    ethereumTypeUrls: ETHEREUM_TYPE_URLS,
    descriptorSets: descriptorSet === undefined ? [] : [{ appVersion: '0', bytes: descriptorSet }],
  });
  const facts: BlockFacts[] = [];
  for (let from = 1; from <= height; from += RANGE_BLOCKS) {
    const range = await source.fetch(from, Math.min(height, from + RANGE_BLOCKS - 1));
    const { headers, tables } = decoder.decodeRange(splitRange(range), range.byteLength);
    facts.push(...readNativeFacts(headers, tables, filter));
  }
  return facts;
}
