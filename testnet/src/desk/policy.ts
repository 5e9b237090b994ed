import type { JsonObject } from 'strata-kit/proto-json';
import { parseTimeNs } from 'strata-kit/time';
import type { Chain } from '../chain.ts';
import type { DeskAsset, Policy } from './asset.ts';

/** What would deny a move of these kinds now, which the chain asks at the accept alone; undefined: nothing. */
export async function policyDenial(
  chain: Chain,
  asset: DeskAsset,
  kindIds: readonly number[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string | undefined> {
  let live: ReadonlySet<string> | undefined;
  for (const kindId of kindIds) {
    const policy = asset.policyOf(kindId);
    if (policy.mode === 'CLOSED' && from !== asset.issuer) {
      return `kind ${kindId} is CLOSED: only its issuer gives it away`;
    }
    if (policy.mode !== 'ATTESTED') continue;
    live ??= await liveAttestations(chain, to);
    const missing = missingType(policy, live);
    if (missing !== undefined)
      return `kind ${kindId} is ATTESTED: ${to} has no live attestation '${missing}'`;
  }
  return undefined;
}

function missingType({ requiredTypes, attesters }: Policy, live: ReadonlySet<string>): string | undefined {
  return requiredTypes.find((type) => !attesters.some((attester) => live.has(`${type}/${attester}`)));
}

/** `<type>/<attester>`, as of the newest block's time. */
async function liveAttestations(chain: Chain, subject: string): Promise<ReadonlySet<string>> {
  const { timeNs } = await chain.node.status();
  const path = `/${chain.facts.namespace}.attestation.v1.Query/Attestations`;
  const { attestations } = await chain.query(path, { subject });
  return new Set(
    (attestations as readonly JsonObject[])
      .filter(({ revoked, expiry }) => revoked !== true && (parseTimeNs(String(expiry)) ?? 0n) > timeNs)
      .map(({ type, attester }) => `${type}/${attester}`),
  );
}
