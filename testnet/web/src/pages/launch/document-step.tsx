import { useState } from 'preact/hooks';
import { ChainText } from '../../parts/chain-text.tsx';
import { Field } from '../../parts/field.tsx';
import { sentence } from '../../text/message.ts';
import { documentErrors, marked, type Refused } from './document.ts';
import { change, draft } from './draft.ts';
import css from './launch.module.css';
import { LogoField } from './logo-field.tsx';

/** What the issuer says of the asset. */
export function DocumentStep({
  showsErrors,
  refused,
}: {
  readonly showsErrors: boolean;
  readonly refused: Refused | undefined;
}) {
  const { name, symbol, description } = draft.value;
  const errors = documentErrors(draft.value);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const errorOf = (field: 'name' | 'symbol' | 'description'): string | undefined => {
    const typed = showsErrors || touched.has(field) ? errors[field] : undefined;
    return typed ?? (refused?.field === field ? 'Change what is said above.' : undefined);
  };
  const typed = (field: 'name' | 'symbol' | 'description', value: string): void => {
    setTouched(new Set([...touched, field]));
    change({ [field]: value });
  };
  return (
    <>
      {refused !== undefined && <RefusedNote refused={refused} />}
      <Field
        label="Name"
        value={name}
        onInput={(value) => typed('name', value)}
        error={errorOf('name')}
        hint="At most 64 characters."
        required
      />
      <Field
        label="Symbol"
        value={symbol}
        onInput={(value) => typed('symbol', value.toUpperCase())}
        error={errorOf('symbol')}
        hint="2 to 12 of A–Z and 0–9. Others may use the same; the asset's id tells them apart."
        required
      />
      <Field
        label="Description"
        value={description}
        onInput={(value) => typed('description', value)}
        lines={6}
        error={errorOf('description')}
        hint="Say what it is. Promises of rewards, airdrops, returns or value are refused."
      />
      <LogoField {...(refused?.field === 'logo' ? { refused: refused.message } : {})} />
    </>
  );
}

/** What the launchpad did not take, where it stands. */
function RefusedNote({ refused }: { readonly refused: Refused }) {
  const { name, description } = draft.value;
  return (
    <div class={css.refused} role="alert">
      <strong>The launchpad refuses this document.</strong>
      <p>
        <ChainText text={sentence(refused.message)} />
      </p>
      {[name, description].map((text) => {
        const parts = marked(text, refused.words);
        return parts.some(({ isMarked }) => isMarked) ? (
          <p key={text} class={css.quoted}>
            {parts.map((part, at) =>
              part.isMarked ? (
                <mark key={at}>
                  <ChainText text={part.text} />
                </mark>
              ) : (
                <ChainText key={at} text={part.text} />
              ),
            )}
          </p>
        ) : null;
      })}
      <p>Change {refused.words.length === 0 ? 'that' : 'these words'}, then go on.</p>
    </div>
  );
}
