import type { Encumbrance, EncumbranceTimelineEntry } from '../../../../clients/ts/src/client.ts';

type Tone = 'plain' | 'good' | 'warn' | 'bad';

/** What each kind is, to somebody who never heard of it. */
export const ENCUMBRANCE_KINDS: Readonly<Record<Encumbrance['kind'], readonly [word: string, what: string]>> =
  {
    pledge: ['Pledge', 'The holder has set units aside for somebody, as a security for what is owed.'],
    lien: [
      'Lien',
      'The operator of the asset has put a claim of somebody on units of the holder, with evidence that the chain keeps the hash of.',
    ],
    lockup: ['Lockup', 'Units that stay with their holder and cannot move. Nobody else has a claim on them.'],
  };

export const ENCUMBRANCE_STATUS: Readonly<
  Record<Encumbrance['status'], readonly [word: string, tone: Tone]>
> = {
  active: ['Active', 'plain'],
  released: ['Released', 'good'],
  exercised: ['Exercised', 'bad'],
  expired: ['Expired', 'warn'],
};

export const ENCUMBRANCE_EVENTS: Readonly<Record<EncumbranceTimelineEntry['event'], string>> = {
  created: 'Locked',
  released: 'Released',
  exercised: 'Taken over by the beneficiary',
  expired: 'Ended by its time, and released',
};

export interface MayRelease {
  readonly role: 'beneficiary' | 'releaser' | 'holder';
  readonly address: string;
  /** From this time on; undefined: now already. */
  readonly from: string | undefined;
}

/**
 * Who may release it: the beneficiary, whoever has the asset's role of releaser, and the holder after the time that was
 * agreed (modules.md 4). Nobody once it is no longer active.
 */
export function mayRelease(
  {
    status,
    beneficiary,
    holder,
    holder_release_after,
  }: Pick<Encumbrance, 'status' | 'beneficiary' | 'holder' | 'holder_release_after'>,
  releaser: string,
  nowMs: number,
): readonly MayRelease[] {
  if (status !== 'active') return [];
  const rows: MayRelease[] = [];
  if (beneficiary !== '') rows.push({ role: 'beneficiary', address: beneficiary, from: undefined });
  if (releaser !== '') rows.push({ role: 'releaser', address: releaser, from: undefined });
  if (holder_release_after !== null) {
    const isNow = Date.parse(holder_release_after) < nowMs;
    rows.push({ role: 'holder', address: holder, from: isNow ? undefined : holder_release_after });
  }
  return rows;
}

/** May the beneficiary take the units now: only where that was agreed, and before the expiry. */
export function mayExercise(
  { status, exercisable, expiry }: Pick<Encumbrance, 'status' | 'exercisable' | 'expiry'>,
  nowMs: number,
): boolean {
  return status === 'active' && exercisable && (expiry === null || nowMs < Date.parse(expiry));
}

/** What was locked at first, in base units. */
export function lockedAtFirst(timeline: readonly EncumbranceTimelineEntry[]): string | undefined {
  return timeline.find(({ event }) => event === 'created')?.units?.amount;
}

/** What became of it, or that it holds still. */
export function encumbranceWords(status: Encumbrance['status'], kind: Encumbrance['kind']): string {
  switch (status) {
    case 'active':
      return 'It is in force: the units cannot be moved, sold or locked a second time.';
    case 'released':
      return 'It is over: every unit was released, and the holder is free to move them.';
    case 'exercised':
      return 'It is over: the beneficiary took the units that were still locked.';
    case 'expired':
      return `It is over: its time ended, and the units that the ${kind} still held are free.`;
  }
}
