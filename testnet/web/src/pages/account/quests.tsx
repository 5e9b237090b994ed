import { useQuests } from '../../data/quests.ts';
import { Answer } from '../../parts/answer.tsx';
import { progressText } from '../../text/quests.ts';
import { QuestList } from '../quests/quest-list.tsx';

export function AccountQuests({ address, isMine }: { readonly address: string; readonly isMine: boolean }) {
  const quests = useQuests(address);
  return (
    <Answer asked={quests} rows={10}>
      {(result) => (
        <>
          <p>
            {progressText(result.completed, result.total)}. <a href="/quests">The leaderboard</a>
          </p>
          <QuestList quests={result.quests} of={isMine ? 'me' : 'somebody'} />
        </>
      )}
    </Answer>
  );
}
