import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { AppError } from '../errors.ts';
import { readLogo } from './logo.ts';
import { TEMPLATES, type Template } from './templates.ts';
import { checkText } from './text.ts';

/** What somebody says of an asset; the chain holds its hash. */
export interface LaunchpadDocument {
  /** 1 to 64 characters (code points), see checkText. */
  readonly name: string;
  /** 2 to 12 of A-Z and 0-9. */
  readonly symbol: string;
  /** At most 4,000 characters, which may be none. */
  readonly description: string;
  readonly template: Template;
  /** Base64 of a PNG, see readLogo. */
  readonly logo?: string;
}

export interface HashedDocument {
  /** Canonical JSON (RFC 8785) of exactly the fields given. */
  readonly text: string;
  /** SHA-256 of the text's UTF-8: 64 lower-case hex digits. */
  readonly metaHash: string;
}

// its types speak of a default export, which a CommonJS module does not have
const canonicalText = canonicalize as unknown as (value: unknown) => string | undefined;

const FIELDS = ['name', 'symbol', 'description', 'template', 'logo'];
const STRING_TOKENS = /"(?:[^"\\]|\\.)*"/gs;

/**
 * A document of a request's body. Nothing is trimmed, normalised or left out: who posts can compute the hash beforehand,
 * and what is hashed is what they wrote. So a body that says more than a document does is refused: unknown fields, a field
 * that stands twice, bytes that are not UTF-8, halves of surrogate pairs (RFC 8785 has no form for them). Errors: AppError
 * bad_request.
 */
export function parseDocument(body: Uint8Array): LaunchpadDocument {
  const text = decodeUtf8(body);
  const fields = parseObject(text);
  const { name, symbol, description, template, logo } = fields;
  checkText('name', name, { min: 1, max: 64, lines: false });
  if (symbol === undefined || !/^[A-Z0-9]{2,12}$/.test(symbol)) {
    return refuse('symbol must be 2 to 12 of A-Z and 0-9');
  }
  checkText('description', description, { min: 0, max: 4_000, lines: true });
  const known = TEMPLATES.find((one) => one === template);
  if (known === undefined) return refuse(`template must be one of ${TEMPLATES.join(', ')}`);
  if (logo !== undefined) readLogo(logo);
  return { name, symbol, description, template: known, ...(logo === undefined ? {} : { logo }) };
}

export function hashDocument(document: LaunchpadDocument): HashedDocument {
  const text = canonicalText(document);
  if (text === undefined) throw new TypeError('a document has a canonical form');
  return { text, metaHash: createHash('sha256').update(text, 'utf8').digest('hex') };
}

function decodeUtf8(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return refuse('the body is not UTF-8');
  }
}

/** The body's fields, all of them strings and known. */
function parseObject(text: string): Record<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('the body is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse('the body must be a JSON object');
  const entries = Object.entries(value);
  for (const [key, field] of entries) {
    if (!FIELDS.includes(key)) refuse(`a document has no field ${JSON.stringify(key.slice(0, 32))}`);
    if (typeof field !== 'string') refuse(`${key} must be a string`);
  }
  // of two fields with one name JSON.parse keeps the last: here every token is a name or a string, so it can be counted
  if ((text.match(STRING_TOKENS)?.length ?? 0) !== 2 * entries.length)
    refuse('a field stands twice in the body');
  return Object.fromEntries(entries);
}

function refuse(message: string): never {
  throw new AppError('bad_request', message);
}
