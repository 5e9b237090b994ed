import { formatTimeNs } from 'strata-kit/time';
import { asOf } from '../../../api/as-of.ts';
import { parseAddress } from '../../../api/params.ts';
import { pathParam, type Route, type RouteContext } from '../../../api/route.ts';
import { readAll } from '../../../api/rows.ts';
import { quote } from '../../../store/sql.ts';
import { leftOut } from '../leaderboard-read.ts';
import { QUESTS, RECOGNITION } from '../quests.ts';
import { QUEST_COMPLETIONS } from '../tables.ts';

interface Completion {
  readonly height: number;
  readonly timeNs: bigint;
}

/** What an account has completed. Unknown accounts, module accounts and service accounts have completed nothing. */
export const questsRoute: Route = {
  path: '/v1/quests/{addr}',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const address = parseAddress(pathParam(request, 'addr'), context.chain.hrp).bech32;
    const done = await completionsOf(address, context);
    const quests = QUESTS.map(({ id, title, how }) => {
      const first = done.get(id);
      const texts = { id, title, how, done: first !== undefined };
      return first === undefined ? texts : { ...texts, height: first.height, at: formatTimeNs(first.timeNs) };
    });
    const last = [...done.values()].sort((a, b) => b.height - a.height)[0];
    const answer = {
      address,
      completed: done.size,
      total: QUESTS.length,
      ...(last === undefined ? {} : { last_completed_at: formatTimeNs(last.timeNs) }),
      quests,
      recognition: RECOGNITION,
    };
    return { parts: [JSON.stringify(answer)] };
  },
};

async function completionsOf(
  address: string,
  { snapshot, chain, query }: RouteContext,
): Promise<ReadonlyMap<string, Completion>> {
  if (!snapshot.generations.has(QUEST_COMPLETIONS.module) || leftOut({ chain }).includes(address)) {
    return new Map();
  }
  const rows = await query(
    `SELECT toString(quest), height, time_ns FROM ${QUEST_COMPLETIONS.name} ` +
      `WHERE ${asOf(snapshot, QUEST_COMPLETIONS)} AND account = ${quote(address)}`,
  );
  return new Map(
    readAll(rows, (row) => [row.string(), { height: row.u64(), timeNs: row.i64big() }] as const),
  );
}
