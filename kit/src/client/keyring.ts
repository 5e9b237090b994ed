import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex, hexToBytes } from '../bytes.ts';
import { inputError } from './errors.ts';
import { KEY_ALGORITHMS, type Key, type KeyAlgorithm, keyOf } from './keys.ts';

/**
 * Keys by name, one JSON file each with mode 0600 in one folder. Nothing is encrypted: these keys are for chains whose
 * coins have no value.
 */
export interface Keyring {
  readonly folder: string;
  /** By name. */
  list(): readonly NamedKey[];
  /** Errors: input for a name that is not there, or a file that is no key. */
  get(name: string): Key;
  /** Errors: input for a name that is taken or no name. */
  add(name: string, key: Key): void;
}

export interface NamedKey {
  readonly name: string;
  readonly key: Key;
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const ENDING = '.json';
const WARNING = 'testnet only: this private key lies here unencrypted';

export function openKeyring(folder: string): Keyring {
  const pathOf = (name: string): string => {
    if (NAME.test(name)) return join(folder, `${name}${ENDING}`);
    throw inputError(
      `'${name}' is no name of a key: 1 to 64 of a-z, 0-9, _ and -, the first a letter or digit`,
    );
  };
  const get = (name: string): Key => {
    const path = pathOf(name);
    return parseKey(readKeyFile(path, name, folder), path);
  };
  return {
    folder,
    list: () => names(folder).map((name) => ({ name, key: get(name) })),
    get,
    add(name, { algorithm, privateKey }) {
      const path = pathOf(name);
      const text = JSON.stringify(
        { warning: WARNING, algorithm, private_key: bytesToHex(privateKey) },
        null,
        2,
      );
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      try {
        writeFileSync(path, `${text}\n`, { flag: 'wx', mode: 0o600 });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        throw inputError(`there is a key '${name}' already: ${path}`);
      }
    },
  };
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(ENDING))
      .map((file) => file.slice(0, -ENDING.length))
      .filter((name) => NAME.test(name))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readKeyFile(path: string, name: string, folder: string): string {
  try {
    return readSecretFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const known = names(folder);
    const others = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`;
    throw inputError(`there is no key '${name}' in ${folder}: ${others}`);
  }
}

/**
 * The text of a file with a private key. Errors: input for one that anybody but its owner may read or write; those of the
 * file system.
 */
export function readSecretFile(path: string): string {
  const { mode } = statSync(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw inputError(
      `${path} holds a private key and has mode ${(mode & 0o777).toString(8)}, so that others may read it: chmod 600 ${path}`,
    );
  }
  return readFileSync(path, 'utf8');
}

/** Of a file of the keyring. */
export function parseKey(text: string, path: string): Key {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw inputError(`${path} is no JSON`);
  }
  const { algorithm, private_key: privateKey } = (value ?? {}) as Record<string, unknown>;
  const bytes = typeof privateKey === 'string' ? hexToBytes(privateKey) : undefined;
  if (!isAlgorithm(algorithm) || bytes === undefined) {
    throw inputError(
      `${path} is no key: algorithm (${KEY_ALGORITHMS.join(', ')}) and private_key (hex) are missing`,
    );
  }
  return keyOf(algorithm, bytes);
}

function isAlgorithm(value: unknown): value is KeyAlgorithm {
  return KEY_ALGORITHMS.some((algorithm) => algorithm === value);
}
