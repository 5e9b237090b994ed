/** Queries of CometBFT's pubsub and index, as far as they are served: `key = 'text'` and `key = 12`, joined by AND. */

export interface Condition {
  readonly key: string;
  readonly value: string;
}

/** A query that is no such list; `message` says why. */
export class QueryError extends Error {}

/** CometBFT's bound. */
export const MAX_QUERY_CHARS = 512;

const CONDITION = /\s*([\w./-]+)\s*(?:=\s*(?:'([^']*)'|(-?\d+(?:\.\d+)?))|(<=?|>=?|CONTAINS\b|EXISTS\b))\s*/y;

/** Errors: QueryError. */
export function parseConditions(query: string): readonly Condition[] {
  if (query.length > MAX_QUERY_CHARS) throw new QueryError('maximum query length exceeded');
  const conditions: Condition[] = [];
  for (let at = 0; ; at += 'AND '.length) {
    CONDITION.lastIndex = at;
    const match = CONDITION.exec(query);
    if (match === null) throw new QueryError(`failed to parse query: no condition at offset ${at}`);
    const [, key = '', text, number, operator] = match;
    if (operator !== undefined) {
      throw new QueryError(`failed to parse query: this node knows = and AND only, not ${operator}`);
    }
    conditions.push({ key, value: text ?? number ?? '' });
    at = CONDITION.lastIndex;
    if (at === query.length) return conditions;
    if (!query.startsWith('AND ', at)) throw new QueryError(`failed to parse query: no AND at offset ${at}`);
  }
}
