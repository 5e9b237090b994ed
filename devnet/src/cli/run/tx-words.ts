import type { Command } from 'commander';
import { subcommandMissing, type WordsContext, wordsParser } from 'strata-kit/cli/words';
import {
  type Argument,
  type GivenWords,
  type OperationForm,
  operationForm,
} from 'strata-kit/client/messages';
import { OPERATIONS } from 'strata-kit/client/operations';
import type { Codec } from 'strata-kit/codec/codec';
import { StrataError } from 'strata-kit/errors';
import { DEFAULT_HOME, DEFAULT_HRP, DEFAULT_NAMESPACE, DEFAULT_NODE } from '../chain-user.ts';

/** The command line of `strata tx`: one operation or several, and how the tx is signed and sent. */

export type TxPart =
  | { readonly kind: 'operation'; readonly form: OperationForm; readonly given: GivenWords }
  | { readonly kind: 'raw'; readonly file: string };

export interface ParsedTx {
  readonly parts: readonly TxPart[];
  /** Of OPTIONS, as typed, by name. */
  readonly options: Readonly<Record<string, string | true>>;
}

const OPTIONS: readonly (readonly [flags: string, text: string])[] = [
  ['--from <key>', 'the key that signs, by its name in the keyring'],
  ['--node <url>', `CometBFT RPC of a node (default: ${DEFAULT_NODE})`],
  ['--home <folder>', `the folder of the devnet, with the keyring (default: ${DEFAULT_HOME})`],
  ['--chain-id <id>', 'stop unless the chain has this id'],
  ['--gas <n>', 'limit of gas (default: what a simulation takes, times the adjustment)'],
  ['--gas-adjustment <x>', 'from 1 to 10 (default: 1.3)'],
  ['--fees <coins>', "such as 100aaeva (default: the gas at the node's least price)"],
  ['--memo <text>', 'memo of the tx'],
  ['--account-number <n>', "of the signer (default: the chain's)"],
  ['--sequence <n>', "of the signer (default: the chain's)"],
  ['--timeout-height <n>', 'the last block that may hold the tx, 0 for any (default: 100 blocks from now)'],
  ['--wait <s>', 'seconds to wait for a block that holds the tx, 0 for none (default: 30)'],
  ['--namespace <word>', `first segment of type URLs (default: ${DEFAULT_NAMESPACE})`],
  ['--hrp <prefix>', `prefix of addresses (default: ${DEFAULT_HRP})`],
  ['--dry-run', 'print what would be signed, and send nothing'],
  ['--json', 'print JSON'],
];
const SEPARATORS = ['--also', '--'];
const NOTE = `
Several operations make one tx, all or nothing: --also between them. @asset is the id of the asset that the same tx
creates. strata tx <group> <operation> --help names its words and options.

Examples:
  strata tx rights issue <asset-id> 0 aeva1… 1000000 --from issuer
  strata tx asset create-asset ECONOMIC,INCOME uusd --from issuer --also rights issue @asset 0 aeva1… 5000000
  strata tx settlement propose aeva1… +10m --give <asset-id>/1/1000000 --take 250uusd --from alice
  strata tx raw messages.json --from alice --dry-run
  strata tx follow <hash>      the inclusion status of a tx that was sent before
`;

/** The namespace, which must be known before any operation is. */
export function namespaceOf(words: readonly string[]): string {
  const at = words.lastIndexOf('--namespace');
  const inline = words.findLast((word) => word.startsWith('--namespace='));
  const given = inline?.slice('--namespace='.length) ?? (at < 0 ? undefined : words[at + 1]);
  return given ?? DEFAULT_NAMESPACE;
}

/** Errors: commander's, and config_invalid for an option that is given twice. */
export function parseTxWords(words: readonly string[], codec: Codec, context: WordsContext): ParsedTx {
  const parts: TxPart[] = [];
  const options: Record<string, string | true> = {};
  for (const segment of segmentsOf(words)) {
    const root = txProgram(codec, context, (part, given) => {
      parts.push(part);
      for (const [name, value] of Object.entries(given)) {
        if (options[name] !== undefined && options[name] !== value) {
          throw new StrataError('config_invalid', `--${kebab(name)} is given twice`);
        }
        options[name] = value;
      }
    });
    root.parse([...segment], { from: 'user' });
  }
  return { parts, options };
}

function segmentsOf(words: readonly string[]): readonly (readonly string[])[] {
  const segments: string[][] = [[]];
  for (const word of words) {
    if (SEPARATORS.includes(word)) segments.push([]);
    else segments.at(-1)?.push(word);
  }
  return segments;
}

type Take = (part: TxPart, options: Readonly<Record<string, string | true>>) => void;

function txProgram(codec: Codec, context: WordsContext, take: Take): Command {
  const root = wordsParser('strata tx', context)
    .description('sign and send a tx')
    .usage('<group> <operation> [words] [options]')
    .addHelpText('after', NOTE)
    .action(() => subcommandMissing(root));
  for (const name of new Set(OPERATIONS.map(({ group }) => group))) {
    const group = root.command(name).description(operationsOf(name)).usage('<operation> [words] [options]');
    group.action(() => subcommandMissing(group));
    for (const operation of OPERATIONS.filter((one) => one.group === name)) {
      addOperation(group, operationForm(codec, operation), take);
    }
  }
  const raw = root.command('raw <file>').description('send the messages of a file: a list of proto-JSON');
  withTxOptions(raw).action((file: string, options: Record<string, string | true>) =>
    take({ kind: 'raw', file }, options),
  );
  return root;
}

function operationsOf(group: string): string {
  return OPERATIONS.filter((one) => one.group === group)
    .map(({ name }) => name)
    .join(', ');
}

function addOperation(group: Command, form: OperationForm, take: Take): void {
  const command = group.command(form.operation.name).description(form.operation.summary);
  for (const { name, hint, isRequired } of form.words) {
    command.argument(isRequired ? `<${name}>` : `[${name}]`, hint);
  }
  for (const { name, hint, isRepeated } of form.options) {
    if (isRepeated) command.option(`--${name} <text>`, `${hint} (may be given several times)`, collect);
    else command.option(`--${name} <text>`, hint);
  }
  withTxOptions(command).action(() => {
    const all = command.opts<Record<string, string | string[] | true>>();
    const own = form.options.filter(({ name }) => all[camel(name)] !== undefined);
    const names = new Set(form.options.map(({ name }) => camel(name)));
    take(
      {
        kind: 'operation',
        form,
        given: {
          words: command.args,
          options: Object.fromEntries(own.map(({ name }) => [name, [all[camel(name)]].flat().map(String)])),
        },
      },
      Object.fromEntries(
        Object.entries(all).filter(([name]) => !names.has(name)) as [string, string | true][],
      ),
    );
  });
}

function withTxOptions(command: Command): Command {
  for (const [flags, text] of OPTIONS) command.option(flags, text);
  return command;
}

function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

function camel(name: Argument['name']): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
