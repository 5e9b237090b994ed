import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { hashDocument } from '../../../src/launchpad/document.ts';
import type { Documents } from '../../../src/launchpad/documents.ts';
import { namesPart } from '../../../src/launchpad/names.ts';

const BAKERY = hashDocument({
  name: 'Harbour Bakery',
  symbol: 'HARB',
  description: 'A bakery.',
  template: 'dividend',
  logo: 'AAAA',
});
const UNKNOWN = '0'.repeat(64);

async function start() {
  const asked: string[] = [];
  const documents: Documents = {
    has: async () => false,
    put: async () => {},
    async get(metaHash) {
      asked.push(metaHash);
      return metaHash === BAKERY.metaHash ? BAKERY.text : undefined;
    },
  };
  const server = await createApp([namesPart(documents)], {
    log: pino({ level: 'silent' }),
    trustedProxies: 0,
  });
  const ask = async (query: string) => {
    const { statusCode, body } = await server.inject(`/api/launchpad/names${query}`);
    return { status: statusCode, body: JSON.parse(body) };
  };
  return { ask, asked };
}

it('names of many documents are one answer, without logos; a document is read once, an unknown one again', async () => {
  const { ask, asked } = await start();
  const query = `?hashes=${BAKERY.metaHash},${UNKNOWN},${BAKERY.metaHash}`;
  const answer = {
    status: 200,
    body: {
      names: {
        [BAKERY.metaHash]: { name: 'Harbour Bakery', symbol: 'HARB', template: 'dividend' },
        [UNKNOWN]: null,
      },
    },
  };
  expect(await ask(query)).toEqual(answer);
  expect(await ask(query)).toEqual(answer);
  expect(asked).toEqual([BAKERY.metaHash, UNKNOWN, UNKNOWN]);
});

it.each([
  ['nothing', ''],
  ['an empty list', '?hashes='],
  ['what is no hash', `?hashes=${UNKNOWN},__proto__`],
  ['upper case', `?hashes=${'A'.repeat(64)}`],
  ['two lists', `?hashes=${UNKNOWN}&hashes=${UNKNOWN}`],
  ['too many', `?hashes=${Array.from({ length: 101 }, () => UNKNOWN).join(',')}`],
])('%s is refused', async (_, query) => {
  const { ask, asked } = await start();
  expect(await ask(query)).toMatchObject({ status: 400, body: { code: 'bad_request' } });
  expect(asked).toEqual([]);
});
