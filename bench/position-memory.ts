import { encodeBech32 } from 'strata-kit/address';
import { plainParameters } from '../src/derive/derivation.ts';
import { createDeriver } from '../src/derive/deriver.ts';
import type { BlockFacts, EventFact } from '../src/derive/facts.ts';
import { NO_MORE_FACTS } from '../src/derive/facts.ts';
import { MODULES } from '../src/modules/modules.ts';
import { createAccountSet } from '../src/modules/network/account-set.ts';
import type { Figure } from './support/report.ts';

/**
 * Heap of the modules' derivation a live position: issued, and then settled in a denom, as every holder's is that moves
 * units behind a distribution; and what an account takes of which it is known that it took part in a tx. Run with
 * --expose-gc.
 */

const ASSET = 'a'.repeat(64);
const ISSUER = `aeva1${'i'.repeat(38)}`;
const PER_BLOCK = 1_000;

export function benchPositionMemory(positions: number): Figure[] {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('run it with node --expose-gc');
  const derivations = MODULES.flatMap(({ derivation }) => (derivation === undefined ? [] : [derivation]));
  const deriver = createDeriver({
    derivations,
    parameters: plainParameters('aeva', 'aeva', 'uusd'),
    generations: new Map(derivations.map(({ module }) => [module, 1])),
  });
  let height = 0;
  const derive = (events: readonly EventFact[]): void => {
    height++;
    const block: BlockFacts = { height, timeNs: BigInt(height), events, ...NO_MORE_FACTS };
    deriver.derive([block]);
  };
  const held = (): number => {
    gc();
    gc();
    return process.memoryUsage().heapUsed;
  };
  const holder = (i: number): string => `aeva1${String(i).padStart(38, '0')}`;
  const blocks = Math.ceil(positions / PER_BLOCK);
  /** One event for each holder, block after block. */
  const each = (make: (i: number, index: number) => EventFact): void => {
    for (let block = 0; block < blocks; block++) {
      derive(Array.from({ length: PER_BLOCK }, (_, index) => make(block * PER_BLOCK + index, index)));
    }
  };

  derive([event(0, 'asset.v1.EventAssetCreated', CREATED)]);
  const before = held();
  let supply = 0n;
  const issue = (i: number, index: number, units: bigint, after: bigint): EventFact => {
    supply += units;
    return event(index, 'rights.v1.EventIssued', {
      asset_id: ASSET,
      kind_id: 0,
      recipient: holder(i),
      units: String(units),
      supply_after: String(supply),
      recipient_units_after: String(after),
    });
  };
  each((i, index) => issue(i, index, 1_000_000n + BigInt(i), 1_000_000n + BigInt(i)));
  const issued = held();
  derive([
    event(0, 'payout.v1.EventDistributed', {
      asset_id: ASSET,
      kind_id: 0,
      denom: 'uusd',
      payer: ISSUER,
      amount: String(supply * 3n),
      new_index: '3000000000000000000',
      carry_scaled: '0',
      supply: String(supply),
    }),
  ]);
  each((i, index) => issue(i, index, 1n, 1_000_001n + BigInt(i)));
  const settled = held();
  const count = blocks * PER_BLOCK;
  const accounts = benchAccounts(positions);
  return [
    ...accounts,
    { name: 'positions', value: count, unit: '' },
    { name: 'heap a position', value: (issued - before) / count, unit: 'bytes', aim: '≤ 300' },
    {
      name: 'heap a position, settled in one denom',
      value: (settled - before) / count,
      unit: 'bytes',
      aim: '≤ 300',
    },
  ];
}

function benchAccounts(count: number): Figure[] {
  const set = createAccountSet();
  const bytes = new Uint8Array(20);
  const view = new DataView(bytes.buffer);
  let visitMs = 0;
  for (let i = 0; i < count; ) {
    const batch = Array.from({ length: PER_BLOCK }, () => {
      view.setUint32(16, Math.imul(i++, 0x9e37_79b1));
      return encodeBech32('aeva', bytes);
    });
    const startedMs = performance.now();
    for (const account of batch) set.visit(account, 1);
    visitMs += performance.now() - startedMs;
  }
  return [
    { name: 'accounts that took part', value: set.size, unit: '' },
    { name: 'an account that took part', value: set.byteLength / set.size, unit: 'bytes', aim: '≤ 64' },
    { name: 'a new account, noted', value: (visitMs * 1000) / set.size, unit: 'µs' },
  ];
}

const CREATED = {
  asset_id: ASSET,
  issuer: ISSUER,
  nonce: '0',
  status: 'ASSET_STATUS_ACTIVE',
  policy: { mode: 'POLICY_MODE_OPEN', required_types: [], attesters: [] },
  roles: { operator: '', releaser: '' },
  meta_hash: '',
  settlement_denom: 'uusd',
  liens_allowed: false,
  distribution_denoms: [],
  kinds: [
    {
      kind_id: 0,
      class: 'KIND_CLASS_INCOME',
      decimals: 6,
      bundle: true,
      transferable: true,
      term: null,
      multiplier: '1',
      bridgeable: false,
    },
  ],
};

function event(eventIndex: number, type: string, fields: object): EventFact {
  return {
    type: `aeva.${type}`,
    txIndex: 0,
    eventIndex,
    txHash: new Uint8Array(32),
    // a string of its own for each value, as a node's JSON gives them
    decoded: JSON.stringify(fields),
  };
}
