import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { bytesToHex, hexToBytes } from 'strata-kit/bytes';
import { subcommandMissing, type WordsContext, wordsParser } from 'strata-kit/cli/words';
import { inputError } from 'strata-kit/client/errors';
import { type Keyring, type NamedKey, openKeyring, parseKey } from 'strata-kit/client/keyring';
import {
  bech32Of,
  evmAddressOf,
  KEY_ALGORITHMS,
  type Key,
  type KeyAlgorithm,
  keyFromSeed,
  keyOf,
  publicKeyJson,
  randomKey,
} from 'strata-kit/client/keys';
import { DEFAULT_HOME, DEFAULT_HRP } from '../chain-user.ts';

interface KeyOptions {
  readonly home: string;
  readonly hrp: string;
  readonly json?: boolean;
  readonly algorithm?: string;
  readonly seed?: string;
  readonly index?: string;
}

const NOTE =
  '\nKeys lie unencrypted in <home>/keys, readable by their owner alone. They are for testnets only.\n';

/** strata keys add|list|show|import|export: a folder of unencrypted keys of testnets. */
export async function keys(words: readonly string[], context: WordsContext): Promise<void> {
  const root = wordsParser('strata keys', context)
    .description('keys of a testnet')
    .addHelpText('after', NOTE);
  const ring = ({ home }: KeyOptions) => openKeyring(join(resolve(context.cwd, home), 'keys'));
  const show = (named: NamedKey, options: KeyOptions) => printKeys([named], options, context);

  withOptions(root.command('add <name>').description('make a key: a random one, or one from a text'))
    .option('--algorithm <name>', `${KEY_ALGORITHMS.join(' or ')} (the EVM's)`, 'secp256k1')
    .option('--seed <text>', 'private key = SHA-256 of this text: the same on every machine')
    .option('--index <n>', 'with --seed: of <text>/<n>')
    .action((name: string, options: KeyOptions) => {
      const key = newKey(options);
      ring(options).add(name, key);
      show({ name, key }, options);
    });
  withOptions(root.command('list').description('list the keys')).action((options: KeyOptions) =>
    printKeys(ring(options).list(), options, context),
  );
  withOptions(root.command('show <name>').description('show a key, without its private part')).action(
    (name: string, options: KeyOptions) => show({ name, key: ring(options).get(name) }, options),
  );
  withOptions(
    root.command('import <name> <file>').description('take a key from a file: what export prints, or hex'),
  )
    .option('--algorithm <name>', `of hex: ${KEY_ALGORITHMS.join(' or ')}`, 'secp256k1')
    .action((name: string, file: string, options: KeyOptions) => {
      const key = readKey(resolve(context.cwd, file), options);
      ring(options).add(name, key);
      show({ name, key }, options);
    });
  withOptions(root.command('export <name>').description('print a key with its private part, as JSON')).action(
    (name: string, options: KeyOptions) => exportKey(ring(options), name, context),
  );
  root.action(() => subcommandMissing(root));
  await root.parseAsync([...words], { from: 'user' });
}

function withOptions(command: Command): Command {
  return command
    .option('--home <folder>', 'the folder of the devnet', DEFAULT_HOME)
    .option('--hrp <prefix>', 'prefix of addresses', DEFAULT_HRP)
    .option('--json', 'print JSON');
}

function newKey({ algorithm, seed, index }: KeyOptions): Key {
  const chosen = algorithmOf(algorithm);
  if (seed === undefined && index !== undefined) throw inputError('--index is nothing without --seed');
  if (seed === undefined) return randomKey(chosen);
  if (index !== undefined && !/^\d{1,9}$/.test(index))
    throw inputError(`--index is '${index}', not a whole number`);
  return keyFromSeed(chosen, seed, index === undefined ? undefined : Number(index));
}

function readKey(path: string, { algorithm }: KeyOptions): Key {
  const text = readText(path).trim();
  const bytes = hexToBytes(text.replace(/^0x/, ''));
  return bytes === undefined ? parseKey(text, path) : keyOf(algorithmOf(algorithm), bytes);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw inputError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}

function exportKey(ring: Keyring, name: string, { print }: WordsContext): void {
  const { algorithm, privateKey } = ring.get(name);
  print(JSON.stringify({ algorithm, private_key: bytesToHex(privateKey) }));
}

function algorithmOf(text: string | undefined): KeyAlgorithm {
  const found = KEY_ALGORITHMS.find((one) => one === text);
  if (found !== undefined) return found;
  throw inputError(`--algorithm is '${text}', not ${KEY_ALGORITHMS.join(' or ')}`);
}

function printKeys(keys: readonly NamedKey[], { hrp, json }: KeyOptions, { print }: WordsContext): void {
  const shown = keys.map(({ name, key }) => ({
    name,
    algorithm: key.algorithm,
    address: bech32Of(hrp, key),
    evm_address: evmAddressOf(key),
    public_key: publicKeyJson(key),
  }));
  if (json === true) {
    print(JSON.stringify(shown, null, 2));
    return;
  }
  for (const { name, algorithm, address, evm_address } of shown) {
    print(`${name}  ${address}  ${evm_address}  ${algorithm}`);
  }
}
