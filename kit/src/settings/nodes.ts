import { z } from 'zod';
import { credentialUrl, file, wholeNumber } from '../cli/kinds.ts';
import { kind, setting } from '../cli/setting.ts';
import type { HeaderFields } from '../node-access.ts';

/** The nodes of a chain. */

export interface NodeAddress {
  readonly url: string;
  readonly headers: HeaderFields;
}

/** What HTTP itself needs is not for a person to set. */
const HTTP_FIELDS =
  /^(host|connection|content-\w+|transfer-encoding|accept-encoding|upgrade|te|trailer|expect)$/;
const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/)
  .transform((name) => name.toLowerCase())
  .refine((name) => !HTTP_FIELDS.test(name));
const headerValue = z.string().regex(/^[\x21-\x7e]([\x20-\x7e]{0,4000}[\x21-\x7e])?$/);

/** URLs of a command line; in the YAML file also maps of a URL and its header fields. */
const nodeAddresses = z
  .preprocess(
    toNodes,
    z
      .array(z.strictObject({ url: credentialUrl, headers: z.record(headerName, headerValue).default({}) }))
      .min(1),
  )
  .refine((nodes) => new Set(nodes.map(({ url }) => url)).size === nodes.length);

/** In the order that was given; a URL that is repeated without header fields counts once. */
function toNodes(raw: unknown): unknown {
  const items: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const urls = items.flatMap((item) => (typeof item === 'string' ? item.split(',') : [item]));
  const trimmed = urls.map((item) => (typeof item === 'string' ? item.trim() : item));
  return [...new Set(trimmed)].map((item) => (typeof item === 'string' ? { url: item } : item));
}

export const rpc = setting(
  'rpc',
  kind<readonly NodeAddress[]>(
    'http or https URLs of nodes, separated by commas, each once; in the file also {url, headers}',
    '<url,…>',
    nodeAddresses,
    { isList: true },
  ),
  {
    group: 'Source',
    text: 'RPC of one or more nodes of the chain',
    secrecy: 'url',
    secrets: (nodes) => ({
      urls: nodes.map(({ url }) => url),
      passwords: nodes.flatMap(({ headers }) => fieldSecrets(headers)),
    }),
  },
);

/** Of `Bearer …` the token by itself, too. */
function fieldSecrets(headers: HeaderFields): string[] {
  return Object.values(headers).flatMap((value) => [value, value.split(' ').at(-1) ?? value]);
}

export const rpcCa = setting('rpcCa', file, {
  group: 'Source',
  text: 'PEM certificates that https nodes may have, besides the known ones',
});

/** Of tests: seconds for which a node that does not answer is waited for at the start. */
export const testNodeWait = setting('testNodeWait', wholeNumber(0, 3_600, 'seconds'), {
  group: 'Source',
  text: 'seconds to wait at the start for a node that does not answer',
  places: ['variable'],
  isInternal: true,
  // as long as a node takes to restart, about
  default: '30',
});
