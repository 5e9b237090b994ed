import { expect, it } from 'vitest';
import { isHarmlessToDrop } from '../../src/store/definitions.ts';

const ATTACH = "ATTACH TABLE _ UUID '00000000-0000-0000-0000-000000000001' (`a` String)";

it.each([
  `${ATTACH} ENGINE = MergeTree ORDER BY a SETTINGS index_granularity = 8192`,
  `${ATTACH} ENGINE = ReplacingMergeTree(a) ORDER BY a`,
  `${ATTACH} ENGINE = Memory`,
])('an object that is dropped already may go: %s', (text) => {
  expect(isHarmlessToDrop(text)).toBe(true);
});

it.each([
  `${ATTACH} ENGINE = \`SQLite\`('/x.db', 't') COMMENT 'ENGINE = Memory'`,
  `${ATTACH} ENGINE = SQLite('/x.db', 'ENGINE = Memory')`,
  `${ATTACH} ENGINE = File(CSV) SETTINGS x = 'ENGINE = Memory'`,
  `${ATTACH} ENGINE = MergeTree ORDER BY a SETTINGS \`\\x64isk\` = 'local'`,
  `${ATTACH} ENGINE = MergeTree ORDER BY a SETTINGS \`disk\` = disk(type = 'local', path = '/tmp/x/')`,
  `${ATTACH} ENGINE = MergeTree ORDER BY a SETTINGS storage_policy = 'x'`,
  `${ATTACH} ENGINE = URL('http://127.0.0.1/', CSV) /* ENGINE = Memory */`,
  `${ATTACH} ENGINE = Memoryless`,
])('an object that is dropped already is none of ours: %s', (text) => {
  expect(isHarmlessToDrop(text)).toBe(false);
});
