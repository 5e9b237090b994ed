import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnswerReport } from '../../src/api/api.ts';
import { hashOf } from './support/model-chain.ts';
import { openTestApi, type TestApi } from './support/test-api.ts';

/** What a metrics listener hears of each answer. */

const reports: AnswerReport[] = [];
let t: TestApi;
beforeAll(async () => {
  t = await openTestApi(3, { onAnswer: (report) => reports.push(report) });
  t.chain.grow(4);
  await t.commit();
});
afterAll(() => t.close());

async function reportOf(method: string, target: string): Promise<AnswerReport> {
  reports.splice(0);
  const answer = await t.api.handle(method, target);
  expect(reports).toHaveLength(1);
  const report = reports[0] as AnswerReport;
  expect(report).toMatchObject({ status: answer.status, bytes: answer.body.length });
  expect(report.durationMs).toBeGreaterThanOrEqual(0);
  return report;
}

test('an answer is told with its route, and whether it was kept', async () => {
  const target = `/v1/txs/${hashOf(t.chain.txs.find((tx) => tx.code === 0) as never)}`;
  expect(await reportOf('GET', target)).toMatchObject({
    route: '/v1/txs/{hash}',
    status: 200,
    cached: false,
  });
  expect(await reportOf('GET', target)).toMatchObject({ route: '/v1/txs/{hash}', status: 200, cached: true });
  expect(await reportOf('GET', '/v1/status')).toMatchObject({ route: '/v1/status', cached: false });
});

test('failures are told too, by few names', async () => {
  expect(await reportOf('GET', '/v1/txs/xyz')).toMatchObject({ route: '/v1/txs/{hash}', status: 400 });
  expect(await reportOf('GET', '/v1/nowhere/1')).toMatchObject({ route: 'unknown', status: 404 });
  expect(await reportOf('GET', '/v1/assets')).toMatchObject({ route: 'unknown', status: 404 });
  expect(await reportOf('POST', '/v1/txs')).toMatchObject({ route: 'unknown', status: 405 });
});

test('a request that is refused unread is told', () => {
  reports.splice(0);
  const answer = t.api.refuse();
  expect(reports).toMatchObject([{ route: 'refused', status: answer.status, bytes: answer.body.length }]);
});
