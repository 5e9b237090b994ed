import type { AbciEvent } from 'strata-kit/abci-event';
import { canonicalAccount } from 'strata-kit/address';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askChainFacts } from '../../src/chain/facts.ts';
import { RangeTables } from '../../src/decode/columns.ts';
import { EventRows } from '../../src/decode/event-rows.ts';
import { EventTypes } from '../../src/decode/event-types.ts';
import { AccountReader } from '../../src/decode/parties.ts';
import { createRegistry } from '../../src/decode/proto/registry.ts';
import { ScanSource } from '../../src/decode/scan-source.ts';
import type { Derivation } from '../../src/derive/derivation.ts';
import { type DevnetNode, startDevnetNode } from '../support/devnet-node.ts';
import { DERIVATIONS, openDeriver } from './support/derive.ts';
import { factsOf } from './support/facts.ts';

/**
 * Two places know whom an event is about: the modules' specs, of its fields, and decode, of its bytes. They are held
 * against each other for every event of the workload.
 */

const NAMESPACE = 'aeva';
let node: DevnetNode;
/** By height, tx index and event index: type, and the accounts that the spec names. */
const told = new Map<string, { readonly type: string; readonly accounts: readonly string[] }>();
let read: (event: AbciEvent) => {
  readonly parties: readonly string[];
  readonly mentioned: readonly string[];
};

const recorder: Derivation = {
  module: 'recorder',
  tables: [],
  reads: [],
  open: () => ({
    state: undefined,
    handlers: [],
    seeEvent(event, spec, { height, txIndex, eventIndex, type }) {
      const { accounts } = spec.subjects(event);
      const known = accounts.map((text) => canonicalAccount(text, NAMESPACE) ?? `no account: ${text}`);
      told.set(`${height} ${txIndex} ${eventIndex}`, { type, accounts: [...new Set(known)].sort() });
    },
    endBlock: () => {},
    restore: async () => {},
  }),
};

beforeAll(async () => {
  node = await startDevnetNode({ seed: 4, blocks: 160 });
  const deriver = openDeriver({ derivations: [...DERIVATIONS, recorder] });
  deriver.derive(await factsOf(node, deriver.filter));
  const { descriptorSet = new Uint8Array(0) } = await askChainFacts(node.source, {
    info: () => {},
    warn: () => {},
  });
  const registry = createRegistry(descriptorSet);
  read = (event) => {
    const rows = new EventRows({
      tables: new RangeTables(),
      types: new EventTypes(registry, NAMESPACE),
      registry,
      accounts: new AccountReader(NAMESPACE, []),
    });
    rows.startHeight({ height: 1, beginBlockEvents: -1, unknownTypeUrls: new Set() });
    const attributes = event.attributes.map(([key, value]) => ({ key, value, index: true }));
    const source = new ScanSource();
    source.load(Buffer.from(JSON.stringify([{ type: event.type, attributes }]), 'utf8'));
    const { parties, mentioned } = rows.readList(source, 0, 0);
    return { parties: [...parties].sort(), mentioned: [...mentioned].sort() };
  };
}, 120_000);
afterAll(() => node?.close());

describe('the subjects of an event', () => {
  it('are the same to decode and to its module', () => {
    const types = new Set<string>();
    for (let height = 1; height <= node.height; height++) {
      const block = node.told.block(height);
      const lists = [
        { txIndex: -1, events: block?.events ?? [] },
        ...(block?.results ?? []).map(({ events }, txIndex) => ({ txIndex, events })),
      ];
      for (const { txIndex, events } of lists) {
        for (const [eventIndex, event] of events.entries()) {
          const spec = told.get(`${height} ${txIndex} ${eventIndex}`);
          if (spec === undefined) continue;
          types.add(event.type);
          const { parties, mentioned } = read(event);
          expect({ type: event.type, parties, mentioned }).toEqual({
            type: spec.type,
            parties: spec.accounts,
            mentioned: spec.accounts,
          });
        }
      }
    }
    const typed = [...openDeriver().filter.eventTypes].filter((type) => type.includes('.'));
    expect(typed.filter((type) => !types.has(type))).toEqual([]);
  });

  it('are neither the attesters of a policy, nor what only reads as an account', () => {
    const known = new Set([...told.values()].flatMap(({ accounts }) => accounts));
    const [account = '', other = '', third = ''] = known;
    const event = (name: string, fields: readonly (readonly [string, string])[]): AbciEvent => ({
      type: `aeva.${name}`,
      attributes: fields,
    });
    const policy = JSON.stringify({ mode: 'POLICY_MODE_ATTESTED', required_types: [], attesters: [account] });
    expect(read(event('asset.v1.EventPolicySet', [['policy', policy]])).parties).toEqual([]);
    expect(
      read(
        event('attestation.v1.EventAttested', [
          ['subject', JSON.stringify(account)],
          ['type', JSON.stringify(third)],
          ['attester', JSON.stringify(other)],
        ]),
      ).parties,
    ).toEqual([account, other].sort());
    const roles = JSON.stringify({ operator: account, releaser: other });
    expect(read(event('asset.v1.EventRolesSet', [['roles', roles]])).parties).toEqual(
      [account, other].sort(),
    );
    for (const broken of ['null', '{', '[]', '"x"', '{"operator":1}']) {
      expect(read(event('asset.v1.EventRolesSet', [['roles', broken]])).parties).toEqual([]);
    }
    expect(read({ type: 'message', attributes: [['subject', JSON.stringify(account)]] }).parties).toEqual([]);
  });
});
