import { sha256 } from 'strata-kit/hash';
import { type AnswerHeader, type HttpAnswer, headerBlock } from './answer.ts';
import type { Compressor } from './compressor.ts';
import { type Coding, listsEtag, preferredCoding } from './negotiate.ts';

/**
 * A 200 answer with its validator, in the forms that clients have asked for so far; headers are made once. The ETag is
 * a hash of the body, so that every API process over the same rows gives the same. It is weak: one tag stands for all
 * codings, which RFC 9110 (8.8.1, 8.8.3.3) allows to weak tags only; If-None-Match compares weakly, and ranges, which
 * need a strong one, are not served.
 */
export interface Resource {
  readonly etag: string;
  readonly plain: HttpAnswer;
  readonly notModified: HttpAnswer;
  readonly coded: Partial<Record<Coding, HttpAnswer>>;
  readonly coming: Partial<Record<Coding, Promise<HttpAnswer>>>;
}

/** `settled`: no later block changes the answer. `moving`: it is of this height, and is asked for again each time. */
export type Freshness = 'settled' | 'moving';

/**
 * A week rather than a year: a later version of Strata may render more of the same tx (`applied` turns true when a
 * module joins). no-cache lets a cache keep the answer and ask with its ETag.
 */
export const CACHE_CONTROL: Readonly<Record<Freshness, string>> = {
  settled: 'public, max-age=604800, immutable',
  moving: 'public, no-cache',
};

/** A body that fits one packet wins nothing. */
export const MIN_COMPRESSED_BYTES = 1400;

const ETAG_BYTES = 15;

export function createResource(body: Uint8Array, contentType: string, freshness: Freshness): Resource {
  const etag = `W/"${Buffer.from(sha256(body).subarray(0, ETAG_BYTES)).toString('base64url')}"`;
  const validators: AnswerHeader[] = [
    ['etag', etag],
    ['cache-control', CACHE_CONTROL[freshness]],
    ['vary', 'accept-encoding'],
  ];
  return {
    etag,
    plain: kept(200, [['content-type', contentType], ...validators], body),
    notModified: kept(304, validators, new Uint8Array(0)),
    coded: {},
    coming: {},
  };
}

function kept(status: 200 | 304, headers: readonly AnswerHeader[], body: Uint8Array): HttpAnswer {
  return { status, headers, headerBlock: headerBlock(headers), body };
}

/** Bytes that the resource holds, in every form. */
export function resourceBytes({ plain, coded }: Resource): number {
  let bytes = plain.body.length;
  for (const answer of Object.values(coded)) bytes += answer.body.length;
  return bytes;
}

/**
 * The form of a resource that a request asks for by its headers, empty texts where it has none. `onGrown` hears when a
 * form was added.
 */
export function selectForm(
  resource: Resource,
  acceptEncoding: string,
  ifNoneMatch: string,
  compressor: Compressor,
  onGrown: (resource: Resource) => void,
): HttpAnswer | Promise<HttpAnswer> {
  if (ifNoneMatch !== '' && listsEtag(ifNoneMatch, resource.etag)) return resource.notModified;
  if (acceptEncoding === '' || resource.plain.body.length < MIN_COMPRESSED_BYTES) return resource.plain;
  const coding = preferredCoding(acceptEncoding);
  if (coding === undefined) return resource.plain;
  const coded = resource.coded[coding] ?? resource.coming[coding];
  if (coded !== undefined) return coded;
  const coming = codedForm(resource, coding, compressor, onGrown);
  resource.coming[coding] = coming;
  return coming;
}

async function codedForm(
  resource: Resource,
  coding: Coding,
  compressor: Compressor,
  onGrown: (resource: Resource) => void,
): Promise<HttpAnswer> {
  const { plain } = resource;
  const body = await compressor.compress(plain.body, coding);
  delete resource.coming[coding];
  if (body === undefined) return plain;
  const answer = kept(200, [...plain.headers, ['content-encoding', coding]], body);
  resource.coded[coding] = answer;
  onGrown(resource);
  return answer;
}
