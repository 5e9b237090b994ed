import { isStrataError, StrataError } from 'strata-kit/errors';
import { isObject } from 'strata-kit/json';
import type { TableBlock } from '../core/table.ts';
import { ownParameters, seenParameters } from './dependencies.ts';
import type {
  Derivation,
  DeriveParameters,
  DriftNote,
  EventContext,
  EventSpec,
  Handler,
  OpenDerivation,
  VersionReader,
} from './derivation.ts';
import { DerivedTables } from './derived-tables.ts';
import type { BlockFacts, EventFact, FactFilter, LogWish } from './facts.ts';
import { FieldError, Fields, Unreadable } from './fields.ts';

/** Applies every module's derivation to blocks in height order, and collects their rows. */
export interface Deriver {
  readonly filter: FactFilter;
  /** Reads the modules' state as of the checkpoint back. Before the first derive(), or never for an empty store. */
  restore(versions: VersionReader): Promise<void>;
  /** The rows of a range, as Native blocks. Errors: derive_failed, a defect of a module; nothing may be derived after it. */
  derive(blocks: readonly BlockFacts[]): readonly TableBlock[];
}

/** A type of event, with whoever wants it. */
interface Dispatch {
  readonly spec: EventSpec<unknown>;
  /** Whose drift it is when its record or a field is not known. */
  readonly owner: string;
  readonly handlers: readonly ModuleHandler[];
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

type ModuleHandler = Handler & { readonly module: string };

export interface DeriverOptions {
  /** In the order in which their handlers run. */
  readonly derivations: readonly Derivation[];
  readonly parameters: DeriveParameters;
  /** By module: what its rows carry. Rows of a module that is not listed are made and dropped. */
  readonly generations: ReadonlyMap<string, number>;
}

export function createDeriver({ derivations, parameters, generations }: DeriverOptions): Deriver {
  const tables = new DerivedTables(derivations, generations);
  const { namespace } = parameters;
  const addNote = (module: string, note: DriftNote): void => {
    const drift = tables.driftOf(module);
    drift.append({
      module,
      height: note.height,
      tx_index: note.txIndex,
      event_index: note.eventIndex,
      type: note.type,
      field: note.field,
      derived: note.derived,
      told: note.told,
    });
  };
  const opened = openAll(derivations, parameters, tables, (module, note) =>
    addNote(module, { ...note, type: fullType(note.type, namespace) }),
  );
  const all = [...opened.values()];
  const dispatches = dispatchesOf(opened, namespace);

  const addDrift = (
    module: string,
    { height }: { readonly height: number },
    { txIndex, eventIndex, type }: EventFact,
    field: string,
    derived: string,
    told: string,
  ): void => addNote(module, { height, txIndex, eventIndex, type, field, derived, told });

  /** By module, events of this block that it has handlers of. */
  const counts = new Map<string, number>();

  const applyEvent = (block: BlockFacts, fact: EventFact, ordinal: number): void => {
    const dispatch = dispatches.get(fact.type);
    if (dispatch === undefined) return;
    const { spec, owner, handlers } = dispatch;
    let comparing = owner;
    const context: Mutable<EventContext> = {
      height: block.height,
      timeNs: block.timeNs,
      type: fact.type,
      txIndex: fact.txIndex,
      eventIndex: fact.eventIndex,
      txHash: fact.txHash,
      ordinal,
      compare(field, derived, told) {
        if (derived === told) return;
        const isUnread = told instanceof Unreadable;
        const text = isUnread ? told.told : String(told);
        if (!isUnread && String(derived) === text) return;
        addDrift(comparing, block, fact, field, String(derived), text);
      },
      noteUnknown: () => addDrift(comparing, block, fact, 'record', '', ''),
    };
    /** Undefined where a field cannot be read, which is the reader's drift. */
    const read = (reading: EventSpec<unknown>, reader: string): ReadEvent | undefined => {
      try {
        return readEvent(reading, fact);
      } catch (error) {
        if (!(error instanceof FieldError)) throw error;
        addDrift(reader, block, fact, error.field, '', error.told);
        return undefined;
      }
    };
    const told = read(spec, owner);
    if (told === undefined) return;
    const { event } = told;
    // `never` in Handler: each was made with its own spec's event type (derivation.ts, on)
    const isKnown = handlers.every(({ knows }) => knows?.(event as never, context) ?? true);
    for (const { field, told: text } of isKnown ? told.unread : [])
      addDrift(owner, block, fact, field, '', text);
    for (const { module, apply, spec: own } of isKnown ? handlers : []) {
      comparing = module;
      context.ordinal = counts.get(module) ?? 0;
      counts.set(module, context.ordinal + 1);
      const seen = own === spec ? told : read(own, module);
      if (seen !== undefined) apply(seen.event as never, context);
    }
    if (!isKnown) addDrift(owner, block, fact, 'record', '', '');
    context.ordinal = ordinal;
    for (const each of all) each.seeEvent?.(event, spec, context);
  };

  const deriveBlock = (block: BlockFacts): void => {
    if (block.txCount === 0 && block.events.length === 0 && block.failedTxs.length === 0) return;
    for (const [ordinal, fact] of block.events.entries()) applyEvent(block, fact, ordinal);
    for (const tx of block.failedTxs) for (const each of all) each.seeFailedTx?.(tx, block);
    for (const each of all) each.seeBlock?.(block);
    for (const each of all) each.endBlock(block);
    counts.clear();
    tables.endHeight(block.height);
  };

  return {
    filter: {
      eventTypes: new Set(dispatches.keys()),
      codespaces: new Set(derivations.flatMap(({ codespaces = [] }) => codespaces)),
      logs: mergeWishes(
        [...opened].flatMap(([{ module }, { wishes }]) => checkedWishes(module, wishes?.logs ?? [])),
      ),
      transferSenders: new Set(all.flatMap(({ wishes }) => wishes?.transferSenders ?? [])),
      evmTxs: all.some(({ wishes }) => wishes?.evmTxs === true),
      accounts: all.some(({ wishes }) => wishes?.accounts === true),
    },
    async restore(versions) {
      for (const each of all) await each.restore(versions);
    },
    derive(blocks) {
      for (const block of blocks) {
        try {
          deriveBlock(block);
        } catch (error) {
          throw failed(block.height, error);
        }
      }
      return tables.finish();
    },
  };
}

/** One wish a contract, with every topic that any module wishes for: what several wish for is looked for once. */
function mergeWishes(wishes: readonly LogWish[]): readonly LogWish[] {
  const merged = new Map<string, LogWish>();
  const union = (a: readonly string[] = [], b: readonly string[] = []) => [...new Set([...a, ...b])];
  for (const { address, topics, children } of wishes) {
    const key = `${address} ${children?.told ?? ''}`;
    const known = merged.get(key);
    merged.set(key, {
      address,
      topics: union(known?.topics, topics),
      ...(children && {
        children: { told: children.told, topics: union(known?.children?.topics, children.topics) },
      }),
    });
  }
  return [...merged.values()];
}

function openAll(
  derivations: readonly Derivation[],
  parameters: DeriveParameters,
  tables: DerivedTables,
  addNote: (module: string, note: DriftNote) => void,
): ReadonlyMap<Derivation, OpenDerivation> {
  const opened = new Map<Derivation, OpenDerivation>();
  for (const derivation of derivations) {
    const { module, reads } = derivation;
    const setup = {
      parameters: seenParameters(parameters, derivation, derivations),
      own: ownParameters(derivation, parameters),
      table: tables.builder.bind(tables),
      drift: (note: DriftNote) => addNote(module, note),
      stateOf<State>(other: Derivation<State>): State {
        const found = opened.get(other);
        if (found !== undefined && reads.includes(other.module)) return found.state as State;
        throw new StrataError(
          'internal',
          `module ${module} reads ${other.module} without saying so, or before it`,
        );
      },
    };
    opened.set(derivation, derivation.open(setup));
  }
  return opened;
}

const ADDRESS = /^[0-9a-f]{40}$/;
const TOPIC = /^[0-9a-f]{64}$/;

/** Errors: config_invalid for what no log has, so that nobody waits for it. */
function checkedWishes(module: string, wishes: readonly LogWish[]): readonly LogWish[] {
  for (const { address, topics, children } of wishes) {
    const all = [...topics, ...(children === undefined ? [] : [children.told, ...children.topics])];
    const wrong = ADDRESS.test(address) ? all.find((topic) => !TOPIC.test(topic)) : address;
    if (wrong === undefined) continue;
    throw new StrataError(
      'config_invalid',
      `module ${module} wishes for logs of ${wrong}: addresses are 40 and topics 64 hex digits in lower case`,
    );
  }
  return wishes;
}

/** As protobuf writes full names: one that begins with a dot is of no namespace. */
function fullType(type: string, namespace: string): string {
  return type.startsWith('.') ? type.slice(1) : `${namespace}.${type}`;
}

function dispatchesOf(
  opened: ReadonlyMap<Derivation, OpenDerivation>,
  namespace: string,
): ReadonlyMap<string, Dispatch> {
  const byType = new Map<string, ModuleHandler[]>();
  for (const [{ module }, { handlers }] of opened) {
    for (const handler of handlers) {
      const type = fullType(handler.spec.type, namespace);
      const others = byType.get(type) ?? [];
      const [first = handler] = others;
      // a module from outside reads an event of another one in its own way, and says nothing of that one's records
      if (first.spec !== handler.spec && handler.knows !== undefined) {
        throw new StrataError(
          'config_invalid',
          `module ${module} cannot say which records of ${handler.spec.type} are known: the event is another module's`,
        );
      }
      byType.set(type, [...others, { ...handler, module }]);
    }
  }
  return new Map(
    [...byType].map(([type, handlers]) => {
      const { spec, module } =
        handlers.find(({ knows }) => knows !== undefined) ?? (handlers[0] as ModuleHandler);
      return [type, { spec, owner: module, handlers }] as const;
    }),
  );
}

interface ReadEvent {
  readonly event: unknown;
  /** Fields that nothing depends on. */
  readonly unread: readonly FieldError[];
}

/** Errors: FieldError. */
function readEvent(spec: EventSpec<unknown>, { decoded }: EventFact): ReadEvent {
  let json: unknown;
  try {
    json = JSON.parse(decoded);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (!isObject(json)) throw new FieldError('decoded', decoded);
  const fields = new Fields(json);
  return { event: spec.read(fields), unread: fields.unread };
}

function failed(height: number, error: unknown): StrataError {
  if (isStrataError(error)) return error;
  return new StrataError('derive_failed', `block ${height} cannot be derived: ${String(error)}`, {
    height,
    cause: error,
  });
}
