import { StrataError } from 'strata-kit/errors';
import { pathParam, type Route } from '../../../api/route.ts';
import { jsonWithId, parseRecordId } from '../../record-json.ts';
import { type EncumbranceRecord, encumbrancesByIds, timelineOf } from '../encumbrances-read.ts';

/** One encumbrance, and what happened to it. */
export const encumbranceRoute: Route = {
  path: '/v1/encumbrances/{id}',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const id = parseRecordId(pathParam(request, 'id'));
    const [found, timeline] = await Promise.all([encumbrancesByIds(context, [id]), timelineOf(context, id)]);
    const encumbrance = found.get(id);
    if (encumbrance === undefined) throw new StrataError('not_found', 'there is no such encumbrance');
    return {
      parts: [`{"encumbrance":${encumbranceJson(encumbrance)},"timeline":${JSON.stringify(timeline)}}`],
    };
  },
};

/** JSON text of Encumbrance of api.md. */
function encumbranceJson(encumbrance: EncumbranceRecord): string {
  return jsonWithId(encumbrance.id, {
    kind: encumbrance.kind,
    asset_id: encumbrance.assetId,
    kind_id: encumbrance.kindId,
    holder: encumbrance.holder,
    units: String(encumbrance.units),
    beneficiary: encumbrance.beneficiary,
    income_to_beneficiary: encumbrance.incomeToBeneficiary,
    holder_release_after: encumbrance.holderReleaseAfter,
    exercisable: encumbrance.exercisable,
    expiry: encumbrance.expiry,
    evidence_hash: encumbrance.evidenceHash,
    status: encumbrance.status,
    created_height: encumbrance.createdHeight,
    created_tx_hash: encumbrance.createdTxHash,
    created_at: encumbrance.createdAt,
    resolved_height: encumbrance.resolvedHeight,
    updated_height: encumbrance.updatedHeight,
  });
}
