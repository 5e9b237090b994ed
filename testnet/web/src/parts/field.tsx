import type { ComponentChildren } from 'preact';
import css from './field.module.css';
import { useOwnId } from './own-id.ts';

export interface FieldProps {
  readonly label: string;
  readonly value: string;
  onInput(value: string): void;
  /** Under the field: what to type. */
  readonly hint?: ComponentChildren;
  /** What is wrong with it, and what to do. */
  readonly error?: string | undefined;
  readonly mono?: boolean;
  readonly placeholder?: string;
  readonly inputMode?: 'text' | 'decimal' | 'numeric';
  readonly type?: 'text' | 'password';
  /** What a browser may fill in; nothing unless it is said. */
  readonly autocomplete?: 'current-password' | 'new-password';
  readonly lines?: number;
  readonly required?: boolean;
  readonly disabled?: boolean;
}

/** A text to type, with its label, hint and error tied to it. */
export function Field({ label, value, onInput, hint, error, mono, lines, ...rest }: FieldProps) {
  const id = useOwnId();
  const about = `${id}-about`;
  const shared = {
    id,
    value,
    class: `${css.input} ${mono === true ? 'mono' : ''}`,
    'aria-describedby': about,
    'aria-invalid': error !== undefined,
    autocomplete: 'off',
    spellcheck: false,
    ...rest,
    onInput: (event: Event) => onInput((event.currentTarget as HTMLInputElement).value),
  };
  return (
    <div class={css.field}>
      <label for={id}>{label}</label>
      {lines === undefined ? <input {...shared} /> : <textarea {...shared} rows={lines} />}
      <p id={about} class={error === undefined ? css.hint : css.error}>
        {error ?? hint ?? ''}
      </p>
    </div>
  );
}

/** One of a few. */
export function Select({
  label,
  value,
  options,
  onInput,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  onInput(value: string): void;
}) {
  const id = useOwnId();
  return (
    <div class={css.field}>
      <label for={id}>{label}</label>
      <select
        id={id}
        class={css.input}
        value={value}
        onChange={(event) => onInput((event.currentTarget as HTMLSelectElement).value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
