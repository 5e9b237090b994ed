import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { inputError } from './errors.ts';
import type { Refusal } from './node.ts';
import type { SignedBytes } from './outcome.ts';

/**
 * Signed txs that were sent and are not decided, as files in one folder, by the rules of outcome.ts. An account has one open
 * tx, `<address>.json`: as long as the file exists nothing else is signed. Beside it are those whose sequence another tx may
 * have, `<address>.<hash>.json`: refused ones. A signed tx is no secret.
 */
export interface PendingTxs {
  /** The account's open one. Errors: input for a file that is none of these. */
  of(address: string): PendingTx | undefined;
  /** Those of the account whose sequence another tx may have. Errors: input for a broken file. */
  asideOf(address: string): readonly PendingTx[];
  /** By its hash, upper-case hex. Errors: input for a broken file where no other has the hash. */
  find(hash: string): PendingTx | undefined;
  /** Whole and on the disk when it returns. Errors: input when the account has an open one already. */
  add(tx: PendingTx): void;
  /** The open one is so no more: another tx may be signed with its sequence. */
  setAside(tx: PendingTx, refusal: Refusal | undefined): void;
  /** This very tx: other ones of the account stay. */
  remove(tx: PendingTx): void;
  pathOf(tx: PendingTx): string;
}

export interface PendingTx extends SignedBytes {
  readonly chainId: string;
  /** Bech32, of who signed. */
  readonly address: string;
  /** Why a node did not take it. */
  readonly refusal?: Refusal | undefined;
}

const ENDING = '.json';

export function openPending(folder: string): PendingTxs {
  const openPath = (address: string): string => join(folder, `${address}${ENDING}`);
  const asidePath = ({ address, hash }: PendingTx): string => join(folder, `${address}.${hash}${ENDING}`);
  const of = (address: string): PendingTx | undefined => readIn(openPath(address));
  const namesIn = (beginning: string): readonly string[] =>
    filesIn(folder).filter((name) => name.startsWith(beginning) && name.endsWith(ENDING));

  /** Whole and on the disk, under another name. */
  function writeBeside(path: string, tx: PendingTx): string {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const beside = `${path}.${process.pid}`;
    writeFileSync(beside, print(tx), { mode: 0o600, flush: true });
    return beside;
  }

  return {
    of,
    asideOf(address) {
      return namesIn(`${address}.`).flatMap((name) => {
        if (name === `${address}${ENDING}`) return [];
        return readIn(join(folder, name)) ?? [];
      });
    },
    find(hash) {
      let broken: unknown;
      for (const name of namesIn('')) {
        try {
          const tx = readIn(join(folder, name));
          if (tx?.hash === hash) return tx;
        } catch (error) {
          broken ??= error;
        }
      }
      if (broken !== undefined) throw broken;
      return undefined;
    },
    add(tx) {
      const path = openPath(tx.address);
      const beside = writeBeside(path, tx);
      try {
        // unlike a rename it never replaces a file
        linkSync(beside, path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        throw inputError(`another process is sending a tx of ${tx.address}: ${path}`);
      } finally {
        rmSync(beside, { force: true });
      }
    },
    setAside(tx, refusal) {
      const path = asidePath(tx);
      renameSync(writeBeside(path, { ...tx, refusal }), path);
      if (of(tx.address)?.hash === tx.hash) rmSync(openPath(tx.address), { force: true });
    },
    remove(tx) {
      rmSync(asidePath(tx), { force: true });
      if (of(tx.address)?.hash === tx.hash) rmSync(openPath(tx.address), { force: true });
    },
    pathOf: (tx) => (existsSync(asidePath(tx)) ? asidePath(tx) : openPath(tx.address)),
  };
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readIn(path: string): PendingTx | undefined {
  try {
    return parse(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function print({ chainId, address, hash, bytes, sequence, refusal, ...terms }: PendingTx): string {
  const shown = {
    ...{ chain_id: chainId, address, hash, sequence: String(sequence) },
    ...{ timeout_height: String(terms.timeoutHeight), signed_height: terms.signedHeight },
    tx: Buffer.from(bytes).toString('base64'),
    ...(refusal === undefined ? {} : { refusal }),
  };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function parse(text: string, path: string): PendingTx {
  try {
    const value: Readonly<Record<string, unknown>> = JSON.parse(text);
    const bytes = Buffer.from(String(value.tx), 'base64');
    if (bytes.length === 0) throw new Error('no tx');
    return {
      chainId: String(value.chain_id),
      address: String(value.address),
      hash: String(value.hash),
      bytes,
      sequence: BigInt(String(value.sequence)),
      timeoutHeight: BigInt(String(value.timeout_height)),
      signedHeight: Number(value.signed_height),
      ...(value.refusal === undefined ? {} : { refusal: value.refusal as Refusal }),
    };
  } catch (error) {
    throw inputError(`${path} is no pending tx: ${error instanceof Error ? error.message : String(error)}`);
  }
}
