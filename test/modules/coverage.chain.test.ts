import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventSpec } from '../../src/derive/derivation.ts';
import type { BlockFacts } from '../../src/derive/facts.ts';
import { Fields } from '../../src/derive/fields.ts';
import { type DevnetNode, startDevnetNode } from '../support/devnet-node.ts';
import { driftOf } from './support/by-hand.ts';
import { comparedFields } from './support/compared-fields.ts';
import { DERIVATIONS, deriveAll, expectSameRows, openDeriver } from './support/derive.ts';
import { factsOf } from './support/facts.ts';
import type { Rows } from './support/versions.ts';

/** What the protos of proto/aeva have, beside what modules derive: nothing is left out unless a reason says so. */

const ROOT = join(import.meta.dirname, '../..');
const PROTOS = join(ROOT, 'proto/aeva');
const MODULES_FOLDER = join(ROOT, 'src/modules');

/** Events that change no record, with the reason. */
const NOT_DERIVED: Readonly<Record<string, string>> = {};

/** Fields that no derivation looks at, with the reason. */
const NOT_READ: Readonly<Record<string, string>> = {};

/**
 * State follows from events alone (modules.md rule 0), so that messages derive nothing by themselves. A failed tx has no
 * events: of these one message leaves a row, the rejected transfer of rule 8.
 */
const DERIVED_MESSAGES: readonly string[] = ['bridge.v1.MsgTransferOut'];

/** Of each event of the protos its fields. */
function protoEvents(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [module, text] of protoTexts('events.proto')) {
    for (const [, name = '', body = ''] of text.matchAll(/^message (Event\w+) \{\n([^}]*)\}/gm)) {
      const fields = [...body.matchAll(/^ {2}(?:optional |repeated )?[\w.]+ (\w+) = \d+;/gm)];
      found.set(
        `${module}.v1.${name}`,
        fields.map(([, field = '']) => field),
      );
    }
  }
  return found;
}

function protoMessages(): readonly string[] {
  return [...protoTexts('tx.proto')].flatMap(([module, text]) =>
    [...text.matchAll(/^ {2}rpc \w+\((Msg\w+)\)/gm)].map(([, name]) => `${module}.v1.${name}`),
  );
}

function protoTexts(file: string): readonly (readonly [module: string, text: string])[] {
  return readdirSync(PROTOS).flatMap((module) => {
    const files = readdirSync(join(PROTOS, module, 'v1'));
    return files.includes(file) ? [[module, readFileSync(join(PROTOS, module, 'v1', file), 'utf8')]] : [];
  });
}

/** Every EventSpec that an events.ts exports, by its type. */
async function eventSpecs(): Promise<ReadonlyMap<string, EventSpec<unknown>>> {
  const specs = new Map<string, EventSpec<unknown>>();
  for (const file of readdirSync(MODULES_FOLDER, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('/events.ts')) continue;
    const exported: Record<string, unknown> = await import(join(MODULES_FOLDER, file));
    for (const value of Object.values(exported)) {
      if (isSpec(value)) specs.set(value.type, value);
    }
  }
  return specs;
}

function isSpec(value: unknown): value is EventSpec<unknown> {
  return (
    typeof value === 'object' && value !== null && 'type' in value && 'read' in value && 'subjects' in value
  );
}

const PROTO_EVENTS = protoEvents();
let specs: ReadonlyMap<string, EventSpec<unknown>>;
let node: DevnetNode;
let facts: readonly BlockFacts[];
beforeAll(async () => {
  specs = await eventSpecs();
  node = await startDevnetNode({ seed: 6, blocks: 160 });
  facts = await factsOf(node, openDeriver().filter);
}, 120_000);
afterAll(() => node?.close());

describe('the events of the protos', () => {
  it('are all derived, or listed with the reason why not; and nothing else is', () => {
    expect(PROTO_EVENTS.size).toBe(38);
    const derived = [...openDeriver().filter.eventTypes]
      .filter((type) => type.startsWith('aeva.'))
      .map((type) => type.replace(/^aeva\./, ''));
    expect([...derived, ...Object.keys(NOT_DERIVED)].sort()).toEqual([...PROTO_EVENTS.keys()].sort());
    const ofProtos = [...specs.keys()].filter((type) => !type.startsWith('.'));
    expect(ofProtos.sort()).toEqual(derived.sort());
  });

  it('are read field by field, of a chain that tells each of them', () => {
    const read = new Map<string, Set<string>>();
    for (const { type, decoded } of facts.flatMap(({ events }) => events)) {
      const name = type.replace(/^aeva\./, '');
      const fields = read.get(name) ?? new Set<string>();
      read.set(name, fields);
      const seen = new Proxy(JSON.parse(decoded) as Record<string, unknown>, {
        get(target, field) {
          fields.add(String(field));
          return target[String(field)];
        },
      });
      specs.get(name)?.read(new Fields(seen));
    }
    const told = [...read].flatMap(([type, fields]) => [...fields].map((field) => `${type}.${field}`));
    const all = [...PROTO_EVENTS].flatMap(([type, fields]) => fields.map((field) => `${type}.${field}`));
    expect([...told, ...Object.keys(NOT_READ)].sort()).toEqual(all.sort());
  });
});

/** Beside those of rule 13: fields of which an event's effect does not depend, as the rest says it. */
const NOT_NEEDED = [
  'encumbrance.EventExercised.units',
  'encumbrance.EventExpired.units',
  'encumbrance.EventReleased.kind_id',
  'encumbrance.EventExercised.kind_id',
  'encumbrance.EventExpired.kind_id',
  'delegation.EventEnded.kind_id',
  'waterfall.EventFunded.denom',
  'waterfall.EventTierPaid.kind_id',
  'waterfall.EventTierPaid.denom',
  'waterfall.EventPoolOpened.denom',
  'waterfall.EventPoolRedeemed.denom',
];

describe('fields that nothing depends on', () => {
  const fields = new Set([...comparedFields(), ...NOT_NEEDED]);
  const states = DERIVATIONS.flatMap(({ tables }) => tables.map(({ name }) => name));
  const statesOf = (rows: Rows): Rows => new Map(states.map((table) => [table, rows.get(table) ?? []]));

  it.each([
    ['missing', undefined, ''],
    ['unreadable', '1e9', '"1e9"'],
  ])('that are %s leave every record as it is, and are one drift row each', (_, value, told) => {
    const expected: unknown[][] = [];
    const seen = new Set<string>();
    const wrong = facts.map((block) => ({
      ...block,
      events: block.events.map((event) => {
        const json = JSON.parse(event.decoded) as Record<string, unknown>;
        const name = event.type.replace(/^aeva\./, '').replace('.v1.', '.');
        for (const field of Object.keys(json).filter((each) => fields.has(`${name}.${each}`))) {
          seen.add(`${name}.${field}`);
          // any text is a denom
          json[field] = field === 'denom' && value !== undefined ? 1 : value;
          const text = field === 'denom' && value !== undefined ? '1' : told;
          expected.push([block.height, event.txIndex, field, text]);
        }
        return { ...event, decoded: JSON.stringify(json) };
      }),
    }));
    expect([...fields].filter((field) => !seen.has(field))).toEqual([]);
    const rows = deriveAll(wrong);
    expectSameRows(statesOf(rows), statesOf(deriveAll(facts)), 'told nothing');
    const found = driftOf(rows).map(([height, txIndex, field, , text]) => [height, txIndex, field, text]);
    expect(found.map(String).sort()).toEqual(expected.map(String).sort());
  });
});

describe('the messages of the protos', () => {
  it('derive nothing by themselves, but for those that are listed', () => {
    const messages = protoMessages();
    expect(messages.length).toBe(32);
    const code = readdirSync(MODULES_FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(MODULES_FOLDER, file), 'utf8'))
      .join('\n');
    // as a type URL is written: `/<ns>.bridge.v1.MsgTransferOut`
    expect(messages.filter((name) => code.includes(`.${name}`))).toEqual(DERIVED_MESSAGES);
  });

  it('of failed txs are seen of the codespaces of those', () => {
    const modules = DERIVED_MESSAGES.map((name) => name.split('.')[0]);
    expect([...openDeriver().filter.codespaces]).toEqual(modules);
    expect(
      DERIVATIONS.filter(({ codespaces }) => codespaces !== undefined).map(({ module }) => module),
    ).toEqual(modules);
  });
});
