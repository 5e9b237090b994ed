import type { Context } from '../../app/module.ts';
import { isAttested } from '../attestation/keeper.ts';
import { assetError } from './codes.ts';
import { effectivePolicy } from './keeper.ts';
import type { Asset, Kind } from './records.ts';

/**
 * Why the effective policy does not let `from` give units of the kind to `to`; undefined when it does (modules.md,
 * section 4). The text ends in the party that fails: in CLOSED the sender, who is not the issuer; in ATTESTED the
 * recipient, who lacks a live attestation of the named type, the first one missing in the policy's order.
 *
 *     policy denied: asset/<id>/kind/<k>/CLOSED/sender
 *     policy denied: asset/<id>/kind/<k>/override/ATTESTED/<type>/recipient
 */
export function denial(
  context: Context,
  asset: Asset,
  kind: Kind,
  from: string,
  to: string,
): string | undefined {
  const policy = effectivePolicy(asset, kind);
  const override = kind.policyOverride === null ? '' : '/override';
  const path = `policy denied: asset/${asset.id}/kind/${kind.kindId}${override}`;
  if (policy.mode === 'POLICY_MODE_CLOSED')
    return from === asset.issuer ? undefined : `${path}/CLOSED/sender`;
  if (policy.mode === 'POLICY_MODE_OPEN') return undefined;
  const missing = policy.requiredTypes.find(
    (type) =>
      !policy.attesters.some((attester) =>
        isAttested(context.state, { subject: to, type, attester }, context.timeNs),
      ),
  );
  return missing === undefined ? undefined : `${path}/ATTESTED/${missing}/recipient`;
}

/** Refused as asset/23 with the text of `denial`. */
export function requirePolicy(context: Context, asset: Asset, kind: Kind, from: string, to: string): void {
  const text = denial(context, asset, kind, from, to);
  if (text !== undefined) throw assetError('policyDenied', text);
}

/** Refused as asset/24. The flag stands beside the policy: an OPEN kind that is not transferable does not move. */
export function requireTransferable(asset: Asset, kind: Kind): void {
  if (!kind.transferable)
    throw assetError('notTransferable', `kind ${kind.kindId} of asset ${asset.id} is not transferable`);
}
