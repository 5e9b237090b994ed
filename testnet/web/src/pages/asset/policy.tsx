import type { Policy } from '../../../../../clients/ts/src/client.ts';
import { Address } from '../../parts/address.tsx';
import { POLICY_LIMITS, policySourceText, policyWords } from '../../text/policies.ts';
import css from './asset.module.css';

/** A policy in words, with its attesters; what it does not decide on hover. */
export function PolicyText({
  policy,
  source,
}: {
  readonly policy: Policy;
  readonly source?: 'ASSET' | 'KIND_OVERRIDE';
}) {
  const { name, sentence } = policyWords(policy);
  return (
    <span class={css.two}>
      <span title={POLICY_LIMITS}>
        <strong>{name}.</strong> {sentence}
      </span>
      {policy.attesters.length > 0 && (
        <span class={css.list}>
          <span class="soft">{policy.attesters.length === 1 ? 'Attester' : 'Attesters'}</span>
          {policy.attesters.map((attester) => (
            <Address key={attester} value={attester} />
          ))}
        </span>
      )}
      {source !== undefined && <span class={css.note}>That is {policySourceText(source)}.</span>}
    </span>
  );
}
