import type { QuestLeaderboard, QuestResult } from '../../../../clients/ts/src/client.ts';
import { useAnswer } from './answers.ts';
import { told, v1 } from './client.ts';
import type { Asked } from './queries.ts';

const ASK_MS = 10_000;

export function useQuests(addr: string | undefined): Asked<QuestResult> {
  return useAnswer(
    ['quests', addr],
    () => told(v1.GET('/v1/quests/{addr}', { params: { path: { addr: addr ?? '' } } })),
    { everyMs: ASK_MS, enabled: addr !== undefined && addr !== '' },
  );
}

export function useLeaderboard(limit: number): Asked<QuestLeaderboard> {
  return useAnswer(
    ['quests', 'leaderboard', limit],
    () => told(v1.GET('/v1/quests/leaderboard', { params: { query: { limit } } })),
    { everyMs: ASK_MS },
  );
}
