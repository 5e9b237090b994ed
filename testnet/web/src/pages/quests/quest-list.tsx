import type { QuestStatus } from '../../../../../clients/ts/src/client.ts';
import { Badge } from '../../parts/badge.tsx';
import { Time } from '../../parts/time.tsx';
import { countText } from '../../text/amounts.ts';
import { QUEST_PLACES } from '../../text/quests.ts';
import css from './quests.module.css';

/** Quests with what completes each; `of` somebody also whether it is done, and to the viewer where to begin what is not. */
export function QuestList({
  quests,
  of,
}: {
  readonly quests: readonly QuestStatus[];
  readonly of: 'me' | 'somebody' | 'nobody';
}) {
  return (
    <ol class={css.quests}>
      {quests.map(({ id, title, how, done, height, at }) => (
        <li key={id}>
          <div class={css.words}>
            <h3>{title}</h3>
            <p>{how}</p>
          </div>
          <div class={css.state}>
            {of !== 'nobody' && (done ? <Badge tone="good">Done</Badge> : <Badge>Not yet</Badge>)}
            {of !== 'nobody' && done && height !== undefined && at !== undefined && (
              <span>
                <Time at={at} /> in <a href={`/block/${height}`}>block {countText(height)}</a>
              </span>
            )}
            {(of === 'nobody' || (of === 'me' && !done)) && <Begin {...QUEST_PLACES[id]} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Begin({ href, text }: (typeof QUEST_PLACES)[QuestStatus['id']]) {
  return href === undefined ? <span class="soft">{text}</span> : <a href={href}>{text}</a>;
}
