import { useRoute } from 'preact-iso';
import { myAddress } from '../data/me.ts';
import { useQuests } from '../data/quests.ts';
import { Address } from '../parts/address.tsx';
import { Answer } from '../parts/answer.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Progress } from '../parts/progress.tsx';
import { Time } from '../parts/time.tsx';
import { progressText } from '../text/quests.ts';
import { QuestList } from './quests/quest-list.tsx';
import css from './quests/quests.module.css';

/** The quests of one account: which are done, since when, and what completes the others. */
export function QuestsOf() {
  const address = useRoute().params.address ?? '';
  const asked = useQuests(address);
  const isMine = asked.data !== undefined && asked.data.address === myAddress.value;
  return (
    <Page
      title={isMine ? 'Your quests' : 'Quests of an account'}
      lead={<Address value={asked.data?.address ?? address} whole />}
      aside={<a href="/quests">Leaderboard</a>}
    >
      <Answer asked={asked} rows={12}>
        {({ completed, total, last_completed_at, quests, recognition }) => (
          <>
            <div class={css.board}>
              <strong>{progressText(completed, total)}</strong>
              <Progress
                label="Quests done"
                permille={Math.floor((completed * 1_000) / total)}
                text={progressText(completed, total)}
              />
              {last_completed_at !== undefined && (
                <span class="soft">
                  the last one <Time at={last_completed_at} />
                </span>
              )}
            </div>
            <Section title="The quests">
              <QuestList quests={quests} of={isMine ? 'me' : 'somebody'} />
            </Section>
            <p class={css.recognition}>{recognition}</p>
          </>
        )}
      </Answer>
    </Page>
  );
}
