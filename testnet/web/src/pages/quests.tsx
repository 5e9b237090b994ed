import type { QuestLeaderboard } from '../../../../clients/ts/src/client.ts';
import { myAddress } from '../data/me.ts';
import { useLeaderboard, useQuests } from '../data/quests.ts';
import { Address } from '../parts/address.tsx';
import { Answer, Empty } from '../parts/answer.tsx';
import { Badge } from '../parts/badge.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Progress } from '../parts/progress.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Together } from '../parts/together.tsx';
import { countText } from '../text/amounts.ts';
import { progressText } from '../text/quests.ts';
import { QuestList } from './quests/quest-list.tsx';
import css from './quests/quests.module.css';

const ROWS = 50;
/** The quests are the same for everybody; without a wallet they are those of the account that nobody has a key of. */
const NOBODY = '0x0000000000000000000000000000000000000000';

/** The ten first steps on the chain, and who has done how many. */
export function Quests() {
  const me = myAddress.value;
  const board = useLeaderboard(ROWS);
  const quests = useQuests(me ?? NOBODY);
  return (
    <Page
      title="Quests"
      lead="Ten first steps on this chain. Each counts once, as soon as the chain shows it."
    >
      <Together asked={[quests, board]} rows={20}>
        <Section
          title={me === undefined ? 'The quests' : 'Your quests'}
          aside={
            me !== undefined && (
              <a href={`/quests/${me}`}>
                {quests.data === undefined ? '' : progressText(quests.data.completed, quests.data.total)}
              </a>
            )
          }
        >
          <Answer asked={quests} rows={16}>
            {(data) => (
              <>
                <QuestList quests={data.quests} of={me === undefined ? 'nobody' : 'me'} />
                <p class={css.recognition}>{data.recognition}</p>
              </>
            )}
          </Answer>
        </Section>
        <Section title="Leaderboard" aside={board.data !== undefined && <AsOf board={board.data} />}>
          <Answer asked={board} rows={20}>
            {({ rows, quests: total }) =>
              rows.length === 0 ? (
                <Empty>Nobody has completed a quest yet. The first one who does stands here.</Empty>
              ) : (
                <Table
                  label="Accounts by quests completed, best first"
                  rows={rows}
                  keyOf={({ address }) => address}
                  hrefOf={({ address }) => `/quests/${address}`}
                  columns={[
                    { head: 'Place', cell: ({ rank }) => countText(rank), phone: 'no' },
                    {
                      head: 'Account',
                      phone: 'title',
                      cell: ({ rank, address }) => (
                        <span class={css.who}>
                          <span class={css.rankOnPhone}>{rank}</span>
                          <Address value={address} />
                          {address === me && <Badge tone="good">You</Badge>}
                        </span>
                      ),
                    },
                    {
                      head: 'Quests done',
                      cell: ({ address, completed }) => (
                        <a href={`/quests/${address}`}>
                          {progressText(completed, total)}
                          <span class="visually-hidden">, quests of {address}</span>
                        </a>
                      ),
                    },
                    {
                      head: 'Progress',
                      phone: 'no',
                      cell: ({ completed }) => (
                        <Progress
                          label="Quests done"
                          permille={Math.floor((completed * 1_000) / total)}
                          text={progressText(completed, total)}
                        />
                      ),
                    },
                    { head: 'Reached', cell: ({ reached_at }) => <Time at={reached_at} /> },
                    {
                      head: 'In block',
                      right: true,
                      phone: 'no',
                      cell: ({ reached_height }) => (
                        <a href={`/block/${reached_height}`}>{countText(reached_height)}</a>
                      ),
                    },
                  ]}
                />
              )
            }
          </Answer>
        </Section>
      </Together>
    </Page>
  );
}

function AsOf({ board }: { readonly board: QuestLeaderboard }) {
  return (
    <span class="soft">
      as of <Time at={board.computed_at} />, ranked once a minute; the first {ROWS} places
    </span>
  );
}
