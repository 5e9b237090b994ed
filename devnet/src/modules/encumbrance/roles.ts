import type { Asset } from '../asset/records.ts';
import { refuse } from './codes.ts';
import type { ActorRole, Encumbrance, EncumbranceKind } from './records.ts';

/**
 * Who may do what (modules.md, section 4), and in which role they do it. A role counts when it entitles to this very
 * act, so that an operator who is the issuer too makes a lien as operator and a lockup as issuer; when several do, the
 * first in the order of rule 7 is the actor's.
 */

/** Order: holder, operator, issuer. Errors: encumbrance/6, encumbrance/14. */
export function createRole(kind: EncumbranceKind, asset: Asset, holder: string, actor: string): ActorRole {
  if (kind === 'KIND_LIEN' && !asset.liensAllowed)
    throw refuse('liensNotAllowed', `asset ${asset.id} allows no liens`);
  if (kind !== 'KIND_LIEN' && actor === holder) return 'holder';
  if (kind === 'KIND_LIEN' && actor === asset.roles.operator) return 'operator';
  if (kind === 'KIND_LOCKUP' && actor === asset.issuer) return 'issuer';
  throw refuse('unauthorized', `${actor} may not make a ${kind} of ${holder}`);
}

/** Order: beneficiary, releaser, holder. Errors: encumbrance/6, encumbrance/16. */
export function releaseRole(record: Encumbrance, asset: Asset, actor: string, timeNs: bigint): ActorRole {
  if (actor === record.beneficiary) return 'beneficiary';
  if (actor === asset.roles.releaser) return 'releaser';
  if (actor !== record.holder)
    throw refuse('unauthorized', `${actor} may not release encumbrance ${record.id}`);
  const after = record.holderReleaseAfterNs;
  if (after === null || timeNs <= after)
    throw refuse(
      'tooEarly',
      `the holder may not release encumbrance ${record.id} ${after === null ? 'ever' : 'yet'}`,
    );
  return 'holder';
}
