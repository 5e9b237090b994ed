import type { RouteContext } from '../../api/route.ts';
import { type EncumbranceRecord, encumbrancesByIds } from '../encumbrance/encumbrances-read.ts';
import { jsonWithId } from '../record-json.ts';
import type { HeldLocks } from './holders-read.ts';

/** JSON text of PositionEncumbrance of api.md. */
export function positionEncumbranceJson(encumbrance: PositionEncumbrance): string {
  const { id, kind, beneficiary, units, status, expiry, holderReleaseAfter } = encumbrance;
  return jsonWithId(id, {
    kind,
    beneficiary,
    units: String(units),
    status,
    expiry,
    holder_release_after: holderReleaseAfter,
  });
}

type PositionEncumbrance = Pick<
  EncumbranceRecord,
  'id' | 'kind' | 'beneficiary' | 'units' | 'status' | 'expiry' | 'holderReleaseAfter'
>;

const ID_END = 2n ** 64n;

/** By holder, the active encumbrances behind its locks as of a height, by id. */
export async function positionEncumbrances(
  context: Pick<RouteContext, 'snapshot' | 'query'>,
  locksByHolder: ReadonlyMap<string, HeldLocks>,
  height: number,
): Promise<ReadonlyMap<string, readonly PositionEncumbrance[]>> {
  const idsOf = new Map(
    [...locksByHolder].map(([holder, { locks }]) => [holder, locks.flatMap(({ ref }) => idIn(ref))] as const),
  );
  const encumbrances = await encumbrancesByIds(context, [...idsOf.values()].flat(), height);
  return new Map(
    [...idsOf].map(([holder, ids]) => [
      holder,
      ids
        .sort((a, b) => (a < b ? -1 : 1))
        .flatMap((id) => encumbrances.get(id) ?? [])
        .filter(({ status }) => status === 'active'),
    ]),
  );
}

/** Of a lock that is an encumbrance's; of any other none. */
function idIn(ref: string): bigint[] {
  const digits = /^encumbrance\/(\d{1,20})$/.exec(ref)?.[1];
  const id = digits === undefined ? ID_END : BigInt(digits);
  return id < ID_END ? [id] : [];
}
