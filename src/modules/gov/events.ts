import type { EventSpec } from '../../derive/derivation.ts';
import { FieldError, type Fields } from '../../derive/fields.ts';
import { isOption, OPTIONS, parseWeight, UNIT, type WeightedOption } from './options.ts';

/** Events of the Cosmos SDK's x/gov, from 0.40 to 0.53. They have no protos: all fields are texts. */

export interface OfProposal {
  readonly id: bigint;
}

interface MayStartVoting extends OfProposal {
  /** The SDK emits a second event of the same type when the deposit is enough. It has this field alone. */
  readonly startsVoting: boolean;
}

export interface Submitted extends MayStartVoting {
  /** Type URLs. Empty before SDK 0.46. */
  readonly messages: readonly string[];
  /** Bech32. */
  readonly proposer: string;
}

export interface Deposited extends MayStartVoting {
  readonly coins: readonly (readonly [denom: string, amount: bigint])[];
}

export interface Voted extends OfProposal {
  /** Bech32. */
  readonly voter: string;
  readonly options: readonly WeightedOption[];
}

export interface Ended extends OfProposal {
  readonly result: string;
  /** Empty before SDK 0.50. */
  readonly log: string;
}

/** Feeds list typed events alone. */
const subjects = () => ({ accounts: [], assets: [] });

function optional(fields: Fields, name: string): string {
  return fields.json[name] === undefined ? '' : fields.text(name);
}

function mayStartVoting(fields: Fields): MayStartVoting {
  const startsVoting = fields.json.voting_period_start !== undefined;
  return { id: fields.u64(startsVoting ? 'voting_period_start' : 'proposal_id'), startsVoting };
}

export const PROPOSAL_SUBMITTED: EventSpec<Submitted> = {
  type: '.submit_proposal',
  read: (fields) => ({
    ...mayStartVoting(fields),
    // the SDK writes a comma before each
    messages: optional(fields, 'proposal_messages').split(',').filter(Boolean),
    proposer: optional(fields, 'proposal_proposer') || optional(fields, 'sender'),
  }),
  subjects,
};

export const PROPOSAL_DEPOSITED: EventSpec<Deposited> = {
  type: '.proposal_deposit',
  read: (fields) => {
    const start = mayStartVoting(fields);
    return { ...start, coins: start.startsVoting ? [] : readCoins(fields) };
  },
  subjects,
};

export const PROPOSAL_VOTED: EventSpec<Voted> = {
  type: '.proposal_vote',
  read: (fields) => ({
    id: fields.u64('proposal_id'),
    // before SDK 0.50 the event names no voter
    voter: optional(fields, 'voter') || fields.text('sender'),
    options: readOptions(fields),
  }),
  subjects,
};

function ended(type: string): EventSpec<Ended> {
  return {
    type,
    read: (fields) => ({
      id: fields.u64('proposal_id'),
      result: fields.text('proposal_result'),
      log: optional(fields, 'proposal_log'),
    }),
    subjects,
  };
}

/** The voting period is over. */
export const VOTING_ENDED = ended('.active_proposal');
/** The deposit was too small when its period was over. */
export const DEPOSIT_ENDED = ended('.inactive_proposal');

export const PROPOSAL_CANCELLED: EventSpec<OfProposal> = {
  type: '.cancel_proposal',
  read: (fields) => ({ id: fields.u64('proposal_id') }),
  subjects,
};

const COIN = /^(\d{1,77})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/;

function readCoins(fields: Fields): Deposited['coins'] {
  const text = fields.text('amount');
  return text
    .split(',')
    .filter(Boolean)
    .map((coin) => {
      const [, amount, denom] = COIN.exec(coin) ?? [];
      if (amount === undefined || denom === undefined) throw new FieldError('amount', text);
      return [denom, BigInt(amount)] as const;
    });
}

const PREFIX = 'VOTE_OPTION_';
/** SDK 0.46 and 0.47, one a line. */
const COMPACT = /^option:VOTE_OPTION_([A-Z_]+) weight:"([\d.]+)"\s*$/;

/**
 * SDK 0.50: a JSON list of `{"option":1,"weight":"1.000000000000000000"}`. 0.43 to 0.45: such an object a line. 0.46 and
 * 0.47: `option:VOTE_OPTION_YES weight:"1.000000000000000000"` a line. Before: `VOTE_OPTION_YES`.
 */
function readOptions(fields: Fields): readonly WeightedOption[] {
  const text = fields.text('option');
  const options = text.startsWith('[')
    ? jsonOptions(text)
    : text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .flatMap((line) => (line.startsWith('{') ? jsonOptions(`[${line}]`) : [optionOf(line)]));
  const known = options.filter((option) => option !== undefined);
  if (known.length !== options.length || known.length === 0 || known.length > OPTIONS.length) {
    throw new FieldError('option', text);
  }
  return known;
}

function jsonOptions(text: string): readonly (WeightedOption | undefined)[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return [undefined];
    throw error;
  }
  return (Array.isArray(list) ? list : [undefined]).map(
    (each: { readonly option?: unknown; readonly weight?: unknown } | null | undefined) =>
      typeof each?.option === 'number' && typeof each.weight === 'string'
        ? weighted(OPTIONS[each.option - 1], each.weight)
        : undefined,
  );
}

function optionOf(line: string): WeightedOption | undefined {
  const [, name, weight] = COMPACT.exec(line) ?? [];
  if (weight !== undefined) return weighted(name, weight);
  const plain = line.startsWith(PREFIX) ? line.slice(PREFIX.length) : undefined;
  return isOption(plain) ? { option: plain, weight: UNIT } : undefined;
}

function weighted(option: string | undefined, text: string): WeightedOption | undefined {
  const weight = parseWeight(text);
  return isOption(option) && weight !== undefined ? { option, weight } : undefined;
}
