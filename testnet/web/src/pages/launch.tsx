import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type ChainFacts, useChain } from '../data/chain.ts';
import { nowMs } from '../data/live.ts';
import { Answer } from '../parts/answer.tsx';
import { Button } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { withQuery } from '../parts/pager.tsx';
import { WalletNeeded } from '../sign/wallet-needed.tsx';
import { wallet } from '../wallet/in-use.ts';
import { documentErrors, type Refused } from './launch/document.ts';
import { DocumentStep } from './launch/document-step.tsx';
import { draft, isDraftLost } from './launch/draft.ts';
import css from './launch/launch.module.css';
import { dayOf } from './launch/plan.ts';
import { ReviewStep } from './launch/review-step.tsx';
import { SupplyStep, supplyErrors } from './launch/supply-step.tsx';
import { TemplateStep } from './launch/template-step.tsx';

const STEPS = [
  { id: 'template', text: 'Template' },
  { id: 'document', text: 'Document' },
  { id: 'supply', text: 'Supply' },
  { id: 'review', text: 'Review' },
] as const;
type Step = (typeof STEPS)[number]['id'];

const NOTICE = 'This asset is community-launched, unverified, and has no value.';

/** A new asset in four steps and one transaction. */
export function Launch() {
  const chain = useChain();
  return (
    <Page
      title="Launch an asset"
      lead="Choose what it is made of, say what it is, and sign one transaction that creates it, issues its units and ends issuance for good."
    >
      <Answer asked={chain} rows={10}>
        {(facts) => <Wizard chain={facts} />}
      </Answer>
    </Page>
  );
}

function Wizard({ chain }: { readonly chain: ChainFacts }) {
  const { url, query, route } = useLocation();
  const [showsErrors, setShowsErrors] = useState(false);
  const [refused, setRefused] = useState<Refused | undefined>();
  const asked = STEPS.find(({ id }) => id === query.step)?.id ?? 'template';
  // whoever opens a later step by its address has not done the ones before
  const step = firstOpen(chain, asked);
  const at = STEPS.findIndex(({ id }) => id === step);
  const go = (id: Step | undefined): void => {
    setShowsErrors(false);
    if (id !== undefined) route(withQuery(url, { step: id === 'template' ? undefined : id }));
  };
  const next = (): void => {
    if (!isDone(chain, step)) {
      setShowsErrors(true);
      return;
    }
    setRefused(undefined);
    go(STEPS[at + 1]?.id);
  };
  const kept = wallet.value;
  return (
    <>
      <ol class={css.steps}>
        {STEPS.map(({ id, text }, i) => (
          <li key={id} {...(id === step ? { 'aria-current': 'step' as const } : {})}>
            {i + 1}. {text}
          </li>
        ))}
      </ol>
      {step !== 'review' && (
        <form
          class={css.step}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            next();
          }}
        >
          {step === 'template' && <TemplateStep />}
          {step === 'document' && <DocumentStep showsErrors={showsErrors} refused={refused} />}
          {step === 'supply' && <SupplyStep chain={chain} showsErrors={showsErrors} />}
          {step !== 'template' && <Notice />}
          {isDraftLost.value && (
            <p class={css.notice} role="status">
              This browser does not keep the draft: a reload of the page loses it.
            </p>
          )}
          <div class={css.buttons}>
            <Button kind="main" type="submit">
              Next
            </Button>
            {at > 0 && <Button onClick={() => go(STEPS[at - 1]?.id)}>Back</Button>}
          </div>
        </form>
      )}
      {step === 'review' && (
        <div class={css.step}>
          <Notice />
          {kept === undefined ? (
            <WalletNeeded what="To launch an asset" />
          ) : (
            <ReviewStep
              key={kept.address}
              kept={kept}
              chain={chain}
              onRefused={(why) => {
                setRefused(why);
                go('document');
              }}
              onBack={() => go('supply')}
            />
          )}
        </div>
      )}
    </>
  );
}

function Notice() {
  return (
    <p class={css.notice}>
      The asset's page will say, whatever the document says: <em>{NOTICE}</em>
    </p>
  );
}

function isDone(chain: ChainFacts, step: Step): boolean {
  const errors =
    step === 'document'
      ? documentErrors(draft.value)
      : step === 'supply'
        ? supplyErrors(draft.value, chain.hrp, dayOf(nowMs.value))
        : {};
  return Object.values(errors).every((error) => error === undefined);
}

function firstOpen(chain: ChainFacts, asked: Step): Step {
  for (const { id } of STEPS) {
    if (id === asked || !isDone(chain, id)) return id;
  }
  return asked;
}
