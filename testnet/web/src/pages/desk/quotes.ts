import { useAnswer } from '../../data/answers.ts';
import { askApp } from '../../data/client.ts';
import type { Asked } from '../../data/queries.ts';
import type { Side } from './costs.ts';

/** `GET /api/desk/quotes`: in stable base units a whole unit; null: not quoted now. */
export interface Quote {
  readonly symbol: string;
  readonly name: string;
  /** −1: the whole share. */
  readonly kind: number;
  readonly bid: string | null;
  readonly ask: string | null;
}

/** `GET /api/desk` */
export interface DeskFacts {
  readonly address: string;
  readonly paused: boolean;
  readonly instruments: readonly {
    readonly symbol: string;
    readonly name: string;
    readonly asset_id: string;
    readonly decimals: number;
    /** Why the desk trades neither side of the asset now; null while it does. */
    readonly closed: { readonly reason: string; readonly text: string } | null;
    /** Stable base units. */
    readonly max_trade: string;
    readonly kinds: readonly { readonly kind_id: number; readonly class: string }[];
  }[];
  /** Stable base units. */
  readonly max_trade: string;
  readonly proposal_seconds: number;
}

/** The answer of `POST /api/desk/rfq`. */
export interface Proposal {
  readonly settlement_id: number;
  readonly instrument: string;
  readonly kind: number;
  readonly side: Side;
  readonly units: string;
  readonly price: string;
  readonly amount: string;
}

const QUOTES_MS = 3_000;
/** It says why there is no quote, so it is asked as often as the quotes are. */
const DESK_MS = 3_000;

export function useQuotes(): Asked<readonly Quote[]> {
  return useAnswer(
    ['desk-quotes'],
    async (signal) =>
      (await askApp<{ readonly quotes: readonly Quote[] }>('/api/desk/quotes', undefined, signal)).quotes,
    { everyMs: QUOTES_MS },
  );
}

export function useDesk(): Asked<DeskFacts> {
  return useAnswer(['desk'], (signal) => askApp<DeskFacts>('/api/desk', undefined, signal), {
    everyMs: DESK_MS,
  });
}

export function askForQuote(request: {
  readonly address: string;
  readonly symbol: string;
  readonly kind: number;
  readonly side: Side;
  readonly units: string;
}): Promise<Proposal> {
  return askApp<Proposal>('/api/desk/rfq', request);
}
