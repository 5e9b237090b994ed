import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inputError } from './errors.ts';
import type { SignedBytes } from './outcome.ts';

/**
 * Signed txs that were sent and are not decided, one file an account in one folder. As long as a file is there nothing else
 * is signed for its account. A signed tx is no secret.
 */
export interface PendingTxs {
  /** Errors: input for a file that is none of these. */
  of(address: string): PendingTx | undefined;
  /** By its hash, upper-case hex. Errors: input for a broken file where no other has the hash. */
  find(hash: string): PendingTx | undefined;
  /** Whole and on the disk when it returns. Errors: input when the account has one already. */
  add(tx: PendingTx): void;
  /** This very tx: another one that the account sent later stays. */
  remove(tx: PendingTx): void;
  pathOf(tx: PendingTx): string;
}

export interface PendingTx extends SignedBytes {
  readonly chainId: string;
  /** Bech32, of who signed. */
  readonly address: string;
}

const ENDING = '.json';

export function openPending(folder: string): PendingTxs {
  const pathOf = (address: string): string => join(folder, `${address}${ENDING}`);
  const of = (address: string): PendingTx | undefined => {
    const text = textOf(pathOf(address));
    return text === undefined ? undefined : parse(text, pathOf(address));
  };
  return {
    of,
    find(hash) {
      let broken: unknown;
      for (const address of addressesIn(folder)) {
        try {
          const tx = of(address);
          if (tx?.hash === hash) return tx;
        } catch (error) {
          broken ??= error;
        }
      }
      if (broken !== undefined) throw broken;
      return undefined;
    },
    add({ chainId, address, hash, bytes, sequence, timeoutHeight, signedHeight }) {
      const shown = {
        ...{ chain_id: chainId, address, hash, sequence: String(sequence) },
        ...{ timeout_height: String(timeoutHeight), signed_height: signedHeight },
        tx: Buffer.from(bytes).toString('base64'),
      };
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const beside = `${pathOf(address)}.${process.pid}`;
      try {
        writeFileSync(beside, `${JSON.stringify(shown, null, 2)}\n`, { mode: 0o600, flush: true });
        // unlike a rename it never replaces a file
        linkSync(beside, pathOf(address));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        throw inputError(`another process is sending a tx of ${address}: ${pathOf(address)}`);
      } finally {
        rmSync(beside, { force: true });
      }
    },
    remove({ address, hash }) {
      if (of(address)?.hash === hash) rmSync(pathOf(address), { force: true });
    },
    pathOf: ({ address }) => pathOf(address),
  };
}

function addressesIn(folder: string): readonly string[] {
  try {
    const files = readdirSync(folder).filter((file) => file.endsWith(ENDING));
    return files.map((file) => file.slice(0, -ENDING.length));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
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
    };
  } catch (error) {
    throw inputError(`${path} is no pending tx: ${error instanceof Error ? error.message : String(error)}`);
  }
}
