import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Key } from 'strata-kit/client/keys';
import { systemClock } from 'strata-kit/clock';
import { accessPart } from './access/part.ts';
import type { Chain } from './chain.ts';
import { type DatabaseChoice, openDatabase } from './database/database.ts';
import { holdDatabase } from './database/take-hold.ts';
import { createDesk, type DeskOptions } from './desk/desk.ts';
import { deskPart } from './desk/part.ts';
import type { Pause } from './desk/pause.ts';
import type { Indexer } from './indexer.ts';
import { documentsIn } from './launchpad/documents.ts';
import { namesPart } from './launchpad/names.ts';
import { launchpadPart } from './launchpad/part.ts';
import { createLayers } from './layers/layers.ts';
import { layersPart } from './layers/part.ts';
import type { Part } from './part.ts';
import { createSender } from './sender/sender.ts';
import type { Sender } from './sender.ts';
import type { AppSettings } from './settings.ts';
import { testnetPart } from './testnet/part.ts';

/** What parts are made from. */
export interface Surroundings {
  readonly settings: AppSettings;
  readonly chain: Chain;
  readonly indexer: Indexer;
  readonly log: Logger;
  /** Whether the operator has paused the desk; never when left out. */
  readonly pause?: Pick<Pause, 'isPaused'>;
  /** Each trade that the desk refuses. */
  readonly onRefusal?: DeskOptions['onRefusal'];
  /** Aborts when the app ends. */
  readonly signal: AbortSignal;
}

export interface Parts {
  readonly parts: readonly Part[];
  /** After the server and what the parts run have ended. */
  close(): Promise<void>;
}

/**
 * All parts of the app, wired: what they share is opened here, and closed in the reverse order. Errors: those of the
 * database; store_in_use when another process has its desk.
 */
export async function openParts(surroundings: Surroundings): Promise<Parts> {
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.reverse()) await one();
  };
  try {
    return { parts: await wire(surroundings, closing), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function wire(surroundings: Surroundings, closing: (() => Promise<void>)[]): Promise<readonly Part[]> {
  const { settings, chain, indexer, log, signal, pause, onRefusal } = surroundings;
  const clock = systemClock;
  const senderOf = (key: Key | undefined): Sender | undefined =>
    key === undefined ? undefined : createSender({ chain, key, clock, signal });
  const choice = databaseOf(settings);
  const sender = senderOf(settings.deskKey);
  // before anything is read: what another process has reserved is not for this one to resolve
  const hold = sender === undefined ? undefined : await holdDatabase(choice, { clock, log });
  if (hold !== undefined) closing.push(() => hold.release());
  const database = await openDatabase(choice);
  closing.push(() => database.destroy());
  const faucet = senderOf(settings.faucetKey);
  const layers = createLayers(indexer, chain.facts.namespace);
  const documents = documentsIn(database, clock);
  const parts = [
    accessPart({ ...surroundings, faucet }),
    layersPart(layers),
    launchpadPart(documents),
    namesPart(documents),
  ];
  if (sender !== undefined && hold !== undefined) {
    const testnet = testnetPart(surroundings, documents);
    if (testnet !== undefined) parts.push(testnet);
    const instruments = () => [...settings.instruments, ...(testnet?.instruments() ?? [])];
    const isComplete = () => testnet === undefined || testnet.instruments() !== undefined;
    const { isHeld } = hold;
    const desk = { chain, indexer, database, documents, instruments, isComplete, clock, log, isHeld };
    const guards = {
      risk: settings.deskRisk,
      ...(pause === undefined ? {} : { pause }),
      ...(onRefusal === undefined ? {} : { onRefusal }),
    };
    parts.push(deskPart(createDesk({ ...desk, ...guards, sender })));
    parts.push({ name: 'hold', routes: () => undefined, run: (signal) => hold.keep(signal) });
  }
  return parts;
}

function databaseOf({ databaseUrl, folder }: AppSettings): DatabaseChoice {
  return databaseUrl === undefined
    ? { kind: 'sqlite', path: join(folder, 'app.db') }
    : { kind: 'postgres', url: databaseUrl };
}
