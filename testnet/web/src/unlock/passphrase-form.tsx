import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Field, type FieldProps } from '../parts/field.tsx';
import css from './unlock.module.css';

export type PassphraseField = Pick<FieldProps, 'label' | 'value' | 'onInput' | 'hint' | 'error'>;

/** Fields of a passphrase under each other, what there is to say, and buttons. Enter in a field is the main one. */
export function PassphraseForm({
  fields,
  isNew = false,
  main,
  onSubmit,
  failure = '',
  others,
  children,
}: {
  readonly fields: readonly PassphraseField[];
  /** The browser offers none that it remembers. */
  readonly isNew?: boolean;
  /** Undefined: there is nothing to submit. */
  readonly main: { readonly text: string; readonly isDisabled: boolean } | undefined;
  onSubmit(): void;
  readonly failure?: string;
  readonly others: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <form
      class={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (main !== undefined) onSubmit();
      }}
    >
      {fields.map((field) => (
        <Field
          key={field.label}
          type="password"
          autocomplete={isNew ? 'new-password' : 'current-password'}
          {...field}
        />
      ))}
      {children}
      <p class={css.failure} role="alert">
        {failure}
      </p>
      <div class={css.buttons}>
        {main !== undefined && (
          <Button kind="main" type="submit" disabled={main.isDisabled}>
            {main.text}
          </Button>
        )}
        {others}
      </div>
    </form>
  );
}

/** Runs one at a time: enter comes faster than a page is drawn. `act` answers for its own errors. */
export function useOneAtATime(): { readonly isBusy: boolean; run(act: () => Promise<void>): Promise<void> } {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  return {
    isBusy,
    async run(act) {
      if (isRunning.current) return;
      isRunning.current = true;
      setBusy(true);
      try {
        await act();
      } finally {
        isRunning.current = false;
        setBusy(false);
      }
    },
  };
}
