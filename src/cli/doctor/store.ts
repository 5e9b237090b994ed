import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isStrataError } from 'strata-kit/errors';
import type { StoreChoice } from '../../core/store-choice.ts';
import { listBadBlocks } from '../../store/bad-blocks.ts';
import { readCheckpoint } from '../../store/checkpoints.ts';
import { readCoverage } from '../../store/coverage.ts';
import { openEmbedded } from '../../store/embedded.ts';
import { readFacts } from '../../store/facts.ts';
import { loadMigrations, readSchemaVersion } from '../../store/migrations.ts';
import { countRows, findDifferenceUpTo } from '../../store/repair.ts';
import { openServer } from '../../store/server.ts';
import type { Store, StoreFactory } from '../../store/store.ts';
import { REMEDIES } from '../failure.ts';
import { about, type Finding } from './finding.ts';

export interface StoreFindings {
  readonly findings: readonly Finding[];
  readonly chainId: string | undefined;
  /** Undefined for a store that cannot be looked into. */
  readonly nextHeight: number | undefined;
  /** Of a store with blocks; empty without. */
  readonly facts: ReadonlyMap<string, string>;
}

const NO_FACTS: ReadonlyMap<string, string> = new Map();
const NOTHING = { chainId: undefined, nextHeight: undefined, facts: NO_FACTS };

/** What is looked at while the store is open. */
export type WhileOpen = (store: Store, facts: StoreFindings['facts']) => Promise<readonly Finding[]>;

/**
 * Looks at a store and leaves it as it is: no row, no file of a commit, no schema changes. `whileOpen` looks on, in a
 * store that holds a chain; its findings come last.
 */
export async function checkStore(
  choice: StoreChoice,
  whileOpen: WhileOpen = async () => [],
): Promise<StoreFindings> {
  const name = choice.kind === 'embedded' ? choice.folder : `${new URL(choice.url).host}/${choice.database}`;
  const report = about('store', name);
  if (choice.kind === 'embedded' && !existsSync(join(choice.folder, 'engine'))) {
    return { findings: [report('ok', 'is not there yet: index makes it')], ...NOTHING };
  }
  let stores: StoreFactory | undefined;
  try {
    stores = await openToLook(choice);
    const store = await stores.open('doctor');
    const found = await lookInto(store, name);
    if (found.nextHeight === undefined) return found;
    return { ...found, findings: [...found.findings, ...(await whileOpen(store, found.facts))] };
  } catch (error) {
    if (!isStrataError(error)) throw error;
    const isInUse = error.code === 'store_in_use';
    const remedy = isInUse
      ? 'ask that process (/readyz of its --admin), or stop it to look inside'
      : REMEDIES[error.code];
    const finding = report(isInUse ? 'warning' : 'problem', `${error.code}: ${error.message}`, remedy);
    return { findings: [finding], ...NOTHING };
  } finally {
    await stores?.close();
  }
}

function openToLook(choice: StoreChoice): Promise<StoreFactory> {
  return choice.kind === 'embedded'
    ? openEmbedded({ folder: choice.folder, mustExist: true, keepSpool: true })
    : openServer({ ...choice, mustExist: true });
}

async function lookInto(store: Store, name: string): Promise<StoreFindings> {
  const report = about('store', name);
  const migrations = await loadMigrations();
  const [oldest, newest] = [migrations[0]?.version ?? 0, migrations.at(-1)?.version ?? 0];
  const version = await readSchemaVersion(store);
  if (version === 0) return { findings: [report('ok', 'can be opened and holds nothing yet')], ...NOTHING };
  const schema = about('schema', name);
  const misfit =
    version > newest ? 'run the newer Strata that wrote it' : 'index the chain again into another store';
  if (version > newest || version < oldest) {
    const text = `schema ${version}, and this Strata knows ${oldest} to ${newest}`;
    return { findings: [schema('problem', text, misfit)], ...NOTHING };
  }
  const findings = [
    version === newest
      ? schema('ok', `schema ${version}`)
      : schema('warning', `schema ${version}: index or start brings it to ${newest}`, 'back it up first'),
  ];
  const facts = await readFacts(store);
  const chainId = facts.get('chain_id');
  const checkpoint = await readCheckpoint(store);
  if (checkpoint === undefined) {
    findings.push(report('ok', 'can be opened and has no commit yet'));
    return { findings, chainId, nextHeight: undefined, facts: NO_FACTS };
  }
  const { firstHeight, height } = checkpoint;
  findings.push(report('ok', `heights ${firstHeight} to ${height} of chain ${chainId ?? '(unknown)'}`));
  findings.push(await checkRows(store, name, checkpoint));
  findings.push(...(await checkBadBlocks(store, name, height)));
  findings.push(...(await checkDecoded(store, name, height)));
  return { findings, chainId, nextHeight: height + 1, facts };
}

const NAMED_BAD_BLOCKS = 10;

/** Nothing where there are none. */
async function checkBadBlocks(store: Store, name: string, height: number): Promise<readonly Finding[]> {
  const { count, heights } = await listBadBlocks(store, height);
  const [first] = heights;
  if (first === undefined) return [];
  const named = heights.slice(0, NAMED_BAD_BLOCKS).join(', ');
  const more = count > NAMED_BAD_BLOCKS ? ', …' : '';
  return [
    about('bad blocks', name)(
      'warning',
      `${count} kept without the results that could not be used: ${named}${more}`,
      `with a node that has them: strata repair --height ${first} (the table bad_blocks says why)`,
    ),
  ];
}

const COVERED_BLOCKS = 100;
const NAMED_TYPES = 3;

/** Nothing where all of the newest blocks is decoded. */
async function checkDecoded(store: Store, name: string, height: number): Promise<readonly Finding[]> {
  const range = { fromHeight: height - COVERED_BLOCKS + 1, toHeight: height };
  const { messages, events, types } = await readCoverage(store, range);
  const missing = types.filter(({ seen, decoded }) => decoded < seen);
  if (missing.length === 0) return [];
  const named = missing.slice(0, NAMED_TYPES).map(({ type }) => type);
  return [
    about('decoded', name)(
      'warning',
      `of the newest ${COVERED_BLOCKS} blocks ${messages.decoded} of ${messages.seen} messages and ${events.decoded} of ${events.seen} typed events; not ${named.join(', ')}${missing.length > NAMED_TYPES ? ', …' : ''}`,
      'give descriptors of these types: --descriptors (strata coverage lists all of them)',
    ),
  ];
}

async function checkRows(
  store: Store,
  name: string,
  checkpoint: Parameters<typeof findDifferenceUpTo>[1],
): Promise<Finding> {
  const report = about('rows', name);
  const difference = await findDifferenceUpTo(store, checkpoint);
  if (difference !== undefined) {
    const { table, found, expected } = difference;
    return report(
      'problem',
      `table ${table} has ${found} rows up to height ${checkpoint.height}, and the checkpoint says ${expected}`,
      'the next start steps back to a sound checkpoint and indexes again from there, or says that there is none',
    );
  }
  // the tables that this store's commits have counted: an older schema has fewer than this version knows
  const above = await countRows(store, [...checkpoint.rows.keys()], `height > ${checkpoint.height}`);
  const rows = [...above.values()].reduce((sum, count) => sum + count, 0);
  return rows === 0
    ? report('ok', 'as many as the checkpoint counts, and none above it')
    : report(
        'warning',
        `${rows} above the checkpoint: a commit in hand, or one that was cut short`,
        'the next start removes what was cut short',
      );
}
