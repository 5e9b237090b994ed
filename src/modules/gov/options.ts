/** Options of votes, in the order of their numbers in the SDK, from 1 on. */
export const OPTIONS = ['YES', 'ABSTAIN', 'NO', 'NO_WITH_VETO'] as const;
export type Option = (typeof OPTIONS)[number];

export interface WeightedOption {
  readonly option: Option;
  /** In units of 10^-18. */
  readonly weight: bigint;
}

/** Votes added up, each with the weight 1 whatever its voter has staked. */
export type Tally = Readonly<Record<Option, bigint>> & { readonly votes: number };

/** A weight of 1. */
export const UNIT = 10n ** 18n;
export const NO_VOTES: Tally = { YES: 0n, ABSTAIN: 0n, NO: 0n, NO_WITH_VETO: 0n, votes: 0 };

const WEIGHT = /^(\d{1,3})(?:\.(\d{1,18}))?$/;

export function isOption(text: string | undefined): text is Option {
  return OPTIONS.some((option) => option === text);
}

/** A decimal as the SDK prints it; undefined for any other text. */
export function parseWeight(text: string): bigint | undefined {
  const [, whole, part = ''] = WEIGHT.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole + part.padEnd(18, '0'));
}

/** As the SDK prints decimals. */
export function weightText(weight: bigint): string {
  return `${weight / UNIT}.${String(weight % UNIT).padStart(18, '0')}`;
}

/** JSON as the API prints it. */
export function optionsText(options: readonly WeightedOption[]): string {
  return JSON.stringify(options.map(({ option, weight }) => ({ option, weight: weightText(weight) })));
}

/** Reads what optionsText has printed. */
export function optionsFrom(text: string): readonly WeightedOption[] {
  const list = JSON.parse(text) as readonly { readonly option: Option; readonly weight: string }[];
  return list.map(({ option, weight }) => ({ option, weight: BigInt(weight.replace('.', '')) }));
}

/** The tally with one vote more (+1n) or less (−1n). */
export function withVote(tally: Tally, options: readonly WeightedOption[], sign: 1n | -1n): Tally {
  const sums = { ...tally, votes: tally.votes + Number(sign) };
  for (const { option, weight } of options) sums[option] += sign * weight;
  return sums;
}
