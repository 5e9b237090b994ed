import { useState } from 'preact/hooks';
import type { ChainFacts } from '../../data/chain.ts';
import { nowMs } from '../../data/live.ts';
import { AmountField } from '../../parts/amount-field.tsx';
import { Button } from '../../parts/button.tsx';
import field from '../../parts/field.module.css';
import { Field, Select } from '../../parts/field.tsx';
import { readAmount, readPositive } from '../../text/typed-amount.ts';
import { accountOf } from '../../wallet/address.ts';
import { change, draft } from './draft.ts';
import css from './launch.module.css';
import { couponDays, couponsError, DECIMALS, type Draft, dayOf, MAX_COUPONS } from './plan.ts';

/** By field; undefined where nothing is wrong. */
export function supplyErrors({ supply, recipient, template, coupons }: Draft, hrp: string, today: string) {
  const { units, wrong } = readPositive(supply, DECIMALS);
  return {
    supply: units !== undefined && units >= 2n ** 255n ? 'That is more than the chain can hold.' : wrong,
    recipient:
      recipient.trim() === '' || accountOf(recipient, hrp) !== undefined
        ? undefined
        : `This is no account of this chain: it begins with ${hrp}1 or 0x.`,
    coupons: template === 'bond' ? couponsError(coupons, today) : undefined,
  };
}

/** How much there is of it, and who gets it. */
export function SupplyStep({
  chain,
  showsErrors,
}: {
  readonly chain: ChainFacts;
  readonly showsErrors: boolean;
}) {
  const { supply, recipient, template } = draft.value;
  const errors = supplyErrors(draft.value, chain.hrp, dayOf(nowMs.value));
  return (
    <>
      <AmountField
        label="Units of each kind"
        value={supply}
        onInput={(value) => change({ supply: value })}
        decimals={DECIMALS}
        error={showsErrors ? errors.supply : undefined}
        hint="There will never be more: issuance is locked in the same transaction. A unit can be divided into millionths."
      />
      <Field
        label="Who gets them"
        value={recipient}
        onInput={(value) => change({ recipient: value })}
        mono
        placeholder="your own account"
        error={showsErrors ? errors.recipient : undefined}
        hint="Leave it empty to keep them yourself."
      />
      {template === 'bond' && <Coupons error={showsErrors ? errors.coupons : undefined} />}
    </>
  );
}

function Coupons({ error }: { readonly error: string | undefined }) {
  const { coupons } = draft.value;
  const [count, setCount] = useState('4');
  const [months, setMonths] = useState('3');
  const today = dayOf(nowMs.value);
  const wanted = Number(readAmount(count, 0).units ?? 0n);
  const isCount = wanted >= 1 && wanted <= MAX_COUPONS;
  return (
    <fieldset class={css.coupons}>
      <legend>Coupon dates</legend>
      <p class="soft">
        For each there will be a kind of income units, whose term ends on that day. The chain pays nothing by
        itself: somebody must distribute the income.
      </p>
      <div class={css.row}>
        <Field
          label="How many"
          value={count}
          onInput={setCount}
          inputMode="numeric"
          error={isCount ? undefined : `Write a whole number from 1 to ${MAX_COUPONS}.`}
          hint={`At most ${MAX_COUPONS}.`}
        />
        <Select
          label="How far apart"
          value={months}
          onInput={setMonths}
          options={[
            { value: '1', text: 'a month' },
            { value: '3', text: '3 months' },
            { value: '6', text: '6 months' },
            { value: '12', text: 'a year' },
          ]}
        />
      </div>
      <div>
        <Button
          disabled={!isCount}
          onClick={() => change({ coupons: couponDays(today, wanted, Number(months)) })}
        >
          {coupons.length === 0 ? 'Set the dates' : 'Set them anew'}
        </Button>
      </div>
      {coupons.map((day, at) => (
        <Field
          key={at}
          label={`Coupon ${at + 1}, kind ${at + 1}`}
          value={day}
          onInput={(value) => change({ coupons: coupons.map((one, i) => (i === at ? value : one)) })}
          placeholder="2027-01-31"
        />
      ))}
      <p class={field.error} role="alert">
        {error ?? ''}
      </p>
    </fieldset>
  );
}
