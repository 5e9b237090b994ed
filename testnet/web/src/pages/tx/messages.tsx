import type { Tx } from '../../../../../clients/ts/src/client.ts';
import { FieldsOf } from '../../parts/fields-of.tsx';
import { Say } from '../../parts/sentence.tsx';
import { methodText } from '../../text/methods.ts';
import { messageSentence } from '../../text/sentences/txs.ts';
import css from './tx.module.css';

/** Each message in a sentence, where there are several, and as its fields. */
export function Messages({ tx }: { readonly tx: Tx }) {
  if (tx.msgs.length === 0) return <p class="soft">These bytes are no transaction: there is no message.</p>;
  return (
    <div class={css.messages}>
      {tx.msgs.map((message, at) => {
        const { name, module } = methodText(message['@type']);
        return (
          <article key={at} class={css.message} aria-label={`Message ${at + 1}`}>
            <h3>
              {tx.msgs.length > 1 && `${at + 1}. `}
              {name} <span class="soft">{module}</span>
            </h3>
            {tx.msgs.length > 1 && <Say sentence={messageSentence(tx, at)} />}
            <FieldsOf value={message} />
          </article>
        );
      })}
    </div>
  );
}
