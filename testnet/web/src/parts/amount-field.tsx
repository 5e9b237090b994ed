import type { ComponentChildren } from 'preact';
import { readAmount, readBack } from '../text/typed-amount.ts';
import { Field } from './field.tsx';

/** An amount to type. What was read of it stands below before anything is signed: `1,500` and `1.500` mean two things. */
export function AmountField({
  label,
  value,
  onInput,
  decimals,
  symbol = '',
  error,
  hint,
}: {
  readonly label: string;
  /** As typed. */
  readonly value: string;
  onInput(value: string): void;
  /** Undefined while they are not known. */
  readonly decimals: number | undefined;
  readonly symbol?: string;
  readonly error?: string | undefined;
  readonly hint?: ComponentChildren;
}) {
  const { units } = decimals === undefined ? {} : readAmount(value, decimals);
  const isRead = units !== undefined && decimals !== undefined;
  return (
    <Field
      label={label}
      value={value}
      onInput={onInput}
      inputMode="decimal"
      error={error}
      hint={
        <>
          {isRead && (
            <>
              Read as <strong>{readBack(units, decimals)}</strong>
              {symbol === '' ? '' : ` ${symbol}`}.{' '}
            </>
          )}
          {hint}
        </>
      }
    />
  );
}
