import type { ComponentChildren } from 'preact';
import { Button } from '../parts/button.tsx';
import css from './form.module.css';

/** Fields under each other and one button; enter in a field is the button. */
export function Form({
  button,
  onSubmit,
  disabled = false,
  children,
}: {
  readonly button: string;
  onSubmit(): void;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <form
      class={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled) onSubmit();
      }}
    >
      {children}
      <div>
        <Button kind="main" type="submit" disabled={disabled}>
          {button}
        </Button>
      </div>
    </form>
  );
}
