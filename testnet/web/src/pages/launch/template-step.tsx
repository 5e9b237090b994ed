import { KIND_WORDS } from '../../text/kinds.ts';
import { change, draft } from './draft.ts';
import css from './launch.module.css';
import { kindsOf, TEMPLATES, type Template } from './plan.ts';

const TELLS: Readonly<Record<Template, readonly [name: string, forWhat: string]>> = {
  community: ['Community', 'One kind of units in a fixed number. For whatever people share.'],
  dividend: [
    'Dividend',
    'Ownership, and the income of it as a kind of its own: income can be sold while ownership is kept.',
  ],
  equity: ['Equity', 'Ownership, income and vote, each a kind of its own, as with the shares of a company.'],
  bond: [
    'Bond',
    'Repayment, and one kind of income for each coupon date, so that coupons can be sold one by one.',
  ],
};

/** What the asset is made of. */
export function TemplateStep() {
  const chosen = draft.value.template;
  return (
    <fieldset class={css.templates}>
      <legend class="visually-hidden">Template</legend>
      {TEMPLATES.map((template) => {
        const [name, forWhat] = TELLS[template];
        return (
          <label key={template} class={css.template}>
            <input
              type="radio"
              name="template"
              value={template}
              checked={template === chosen}
              onChange={() => change({ template })}
            />
            <span class={css.told}>
              <strong>{name}</strong>
              <span>{forWhat}</span>
              <KindList template={template} />
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

function KindList({ template }: { readonly template: Template }) {
  const kinds = kindsOf({ template, coupons: [''] }, '');
  return (
    <span class={css.kinds}>
      {kinds.map(({ class: kindClass }) => (
        <span key={kindClass}>
          <b>{KIND_WORDS[kindClass].name}</b>
          {template === 'bond' && kindClass === 'INCOME' && ', one a coupon'}: {KIND_WORDS[kindClass].means}
        </span>
      ))}
    </span>
  );
}
