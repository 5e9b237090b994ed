import type { Mutation } from '../mutation.ts';

export const API: readonly Mutation[] = [
  {
    id: 'api-oldest-page-of-a-whole-number-of-pages',
    file: 'src/api/tx-page.ts',
    find: 'const rowCount = total % pageSize || Math.min(total, pageSize);',
    replace: 'const rowCount = total % pageSize;',
    tests: ['pages'],
  },
  {
    id: 'api-newer-page-without-the-rest-of-a-block',
    file: 'src/api/tx-page.ts',
    find: '`height >= ${h} AND (height > ${h} OR tx_index > ${i})`',
    replace: '`height > ${h}`',
    tests: ['pages'],
  },
  {
    id: 'api-cursor-of-another-filter',
    file: 'src/api/cursor.ts',
    find: 'utf8ToBytes(JSON.stringify(scope))',
    replace: 'utf8ToBytes(JSON.stringify(scope.slice(0, 1)))',
    tests: ['cursors'],
  },
  {
    id: 'api-greatest-limit-refused',
    file: 'src/api/params.ts',
    find: 'limit > MAX_LIMIT) {',
    replace: 'limit >= MAX_LIMIT) {',
    tests: ['addresses'],
  },
  {
    id: 'api-brotli-not-before-gzip',
    file: 'src/api/negotiate.ts',
    find: 'weight >= bestWeight',
    replace: 'weight > bestWeight',
    tests: ['negotiation'],
  },
  {
    id: 'api-walk-above-the-snapshot',
    file: 'src/api/as-of.ts',
    find: 'if (height > indexedHeight) throw',
    replace: 'if (height > indexedHeight + 1) throw',
    tests: ['ahead'],
  },
];
