import type { DescField, DescMessage } from '@bufbuild/protobuf';
import type { Codec } from '../codec/codec.ts';
import type { Json, JsonObject } from '../proto-json.ts';
import { inputError } from './errors.ts';
import type { Operation } from './operations.ts';
import { legWord, type WordContext, wholeNumber, wordHint, wordToJson } from './words.ts';

/** An operation as a command line sees it, and its message from words. */

export interface Argument {
  /** kebab-case */
  readonly name: string;
  readonly hint: string;
  readonly isRequired: boolean;
  /** May be given several times. */
  readonly isRepeated: boolean;
}

export interface OperationForm {
  readonly operation: Operation;
  readonly words: readonly Argument[];
  readonly options: readonly Argument[];
  /** Errors: input, for words that do not fit. */
  message(given: GivenWords, signer: string, context: WordContext): JsonObject;
}

export interface GivenWords {
  readonly words: readonly string[];
  /** By the option's name, kebab-case. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

const EXTRA: Readonly<Record<'kinds' | 'legs', readonly Argument[]>> = {
  kinds: [
    { name: 'decimals', hint: 'of every kind (default: 6)', isRequired: false, isRepeated: false },
    { name: 'bridgeable', hint: 'true or false, of every kind', isRequired: false, isRepeated: false },
  ],
  legs: [
    {
      name: 'give',
      hint: "the proposer's leg: <asset-id>/<kind-id>/<units>, or coins such as 100uusd",
      isRequired: false,
      isRepeated: true,
    },
    { name: 'take', hint: "the counterparty's leg", isRequired: false, isRepeated: true },
  ],
};
const CLASSES = ['ECONOMIC', 'INCOME', 'VOTE', 'REDEMPTION'];

export function operationForm(codec: Codec, operation: Operation): OperationForm {
  const typeUrl = operation.typeUrl.replace('<ns>', codec.namespace);
  const desc = codec.registry.getMessage(typeUrl.slice(1));
  if (desc === undefined) throw new Error(`there is no message ${typeUrl}`);
  const signerField = signerFieldOf(codec, typeUrl, desc);
  const words = operation.words.map((word) => ({
    field: fieldOf(desc, word.replace('?', '')),
    isRequired: !word.endsWith('?'),
  }));
  const isExtra = (name: string) =>
    (operation.extra === 'legs' && name === 'legs') || (operation.extra === 'kinds' && name === 'kinds');
  const others = desc.fields.filter(
    ({ name }) => name !== signerField && !isExtra(name) && !words.some(({ field }) => field.name === name),
  );
  const extra = operation.extra === undefined ? [] : EXTRA[operation.extra];
  return {
    operation,
    words: words.map(({ field, isRequired }) => ({
      name: kebab(field.name),
      hint: isExtra(field.name) ? `${CLASSES.join(', ')}, comma-separated; or proto-JSON` : wordHint(field),
      isRequired,
      isRepeated: false,
    })),
    options: [
      ...extra,
      ...others.map((field) => ({
        name: kebab(field.name),
        hint: wordHint(field),
        isRequired: false,
        isRepeated: false,
      })),
    ],
    message(given, signer, context) {
      const fields: Record<string, Json> = { '@type': typeUrl, [signerField]: signer };
      words.forEach(({ field, isRequired }, i) => {
        const word = given.words[i];
        if (word === undefined && isRequired) {
          throw inputError(`${operation.group} ${operation.name} lacks <${kebab(field.name)}>`);
        }
        if (word === undefined || (isExtra(field.name) && !word.startsWith('['))) return;
        fields[field.name] = wordToJson(field, word, context);
      });
      if (given.words.length > words.length) {
        throw inputError(`${operation.group} ${operation.name} has a word too many: ${given.words.at(-1)}`);
      }
      for (const field of others) {
        const word = given.options[kebab(field.name)]?.[0];
        if (word !== undefined) fields[field.name] = wordToJson(field, word, context);
      }
      if (operation.extra === 'legs') fields.legs = legs(given);
      if (operation.extra === 'kinds' && fields.kinds === undefined) fields.kinds = kinds(given);
      // refuses what no message can hold before anything is signed
      codec.anyFromJson(fields);
      return fields;
    },
  };
}

function kinds({ words, options }: GivenWords): Json {
  const decimals = wholeNumber(options.decimals?.[0] ?? '6', 'decimals');
  const bridgeable = options.bridgeable?.[0] === 'true';
  return (words[0] ?? '').split(',').map((word) => {
    const name = word.toUpperCase();
    if (!CLASSES.includes(name)) throw inputError(`kinds has '${word}', not one of ${CLASSES.join(', ')}`);
    return {
      class: `KIND_CLASS_${name}`,
      decimals,
      bundle: true,
      transferable: true,
      multiplier: '1',
      bridgeable,
    };
  });
}

function legs({ options }: GivenWords): Json {
  const given = (options.give ?? []).map((word) => legWord('DIRECTION_PROPOSER_TO_COUNTERPARTY', word));
  const taken = (options.take ?? []).map((word) => legWord('DIRECTION_COUNTERPARTY_TO_PROPOSER', word));
  return [...given, ...taken];
}

/** The one field that names the signer. */
function signerFieldOf(codec: Codec, typeUrl: string, desc: DescMessage): string {
  const named = codec.signersOf(typeUrl, Object.fromEntries(desc.fields.map(({ name }) => [name, name])));
  return named[0] ?? '';
}

function fieldOf(desc: DescMessage, name: string): DescField {
  const field = desc.fields.find((one) => one.name === name);
  if (field === undefined) throw new Error(`${desc.typeName} has no field ${name}`);
  return field;
}

function kebab(name: string): string {
  return name.replaceAll('_', '-');
}
