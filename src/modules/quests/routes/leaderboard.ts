import { formatTimeNs } from 'strata-kit/time';
import { parseLimit } from '../../../api/params.ts';
import type { Route } from '../../../api/route.ts';
import { createRankings } from '../leaderboard-read.ts';
import { QUESTS, RECOGNITION } from '../quests.ts';

const DEFAULT_ROWS = 50;

/** Accounts by quests completed, as of the newest block that is the first of its minute. */
export const leaderboardRoute: Route = {
  path: '/v1/quests/leaderboard',
  query: ['limit'],
  cache: 'head',
  handle: async ({ query }, context) => {
    const limit = parseLimit(query.get('limit'), DEFAULT_ROWS);
    const { rows, timeNs } = await context.kept(createRankings).of(context);
    const answer = {
      rows: rows.slice(0, limit),
      quests: QUESTS.length,
      recognition: RECOGNITION,
      computed_at: formatTimeNs(timeNs),
    };
    return { parts: [JSON.stringify(answer)] };
  },
};
