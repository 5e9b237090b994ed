import type { Codec } from 'strata-kit/codec/codec';
import type { Chain } from '../comet/types.ts';
import type { Signer } from '../comet/validator.ts';
import { halted, lagging, pruned } from './bounds.ts';
import type { Fault, FaultName } from './names.ts';
import { forked, renamed } from './rewrite.ts';
import { withEventValues, withQueryValues } from './values.ts';

/** What faults need to lie well. */
export interface FaultTools {
  /** Of the chain's validator, for the commits of other blocks. */
  readonly signer: Signer;
  readonly codec: Codec;
}

/** From the inside to the outside: what is hidden last is hidden of all the rest. */
const LAYERS: readonly FaultName[] = [
  'event-value',
  'query-value',
  'fork',
  'chain-id',
  'prune',
  'lag',
  'halt',
];

/** The chain as its readers see it; without faults the chain itself. Nothing of what it does is changed. */
export function withFaults(chain: Chain, faults: readonly Fault[], { signer, codec }: FaultTools): Chain {
  const apply: Readonly<Record<FaultName, (inner: Chain, fault: Fault) => Chain>> = {
    'event-value': (inner, fault) => withEventValues(inner, fault, codec.namespace),
    'query-value': (inner, fault) => withQueryValues(inner, fault, codec),
    fork: (inner, fault) => forked(inner, signer, fault),
    'chain-id': (inner, fault) => renamed(inner, signer, fault),
    prune: pruned,
    lag: lagging,
    halt: halted,
  };
  return LAYERS.flatMap((name) => faults.filter((fault) => fault.name === name)).reduce(
    (inner, fault) => apply[fault.name](inner, fault),
    chain,
  );
}
