import { formatTimeNs } from 'strata-kit/time';
import { latestVersions } from '../../../api/as-of.ts';
import { parseAddress } from '../../../api/params.ts';
import { pathParam, type Route } from '../../../api/route.ts';
import { readAll } from '../../../api/rows.ts';
import { intLiteral, quote } from '../../../store/sql.ts';
import { ATTESTATIONS_BY_ATTESTER } from '../tables.ts';

/** What an attester has issued, by type, without subjects: issued = live + revoked + expired; revoked wins. */
export const attesterRoute: Route = {
  path: '/v1/attesters/{addr}',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const attester = parseAddress(pathParam(request, 'addr'), context.chain.hrp).bech32;
    const { snapshot } = context;
    const versions = latestVersions(
      snapshot,
      ATTESTATIONS_BY_ATTESTER,
      'type, revoked, expiry_ns',
      `attester = ${quote(attester)}`,
    );
    const isLive = `expiry_ns > ${intLiteral(snapshot.latestBlockTimeNs)}`;
    const rows = await context.query(
      `SELECT toString(type) AS name, count(), countIf(revoked = 0 AND ${isLive}), countIf(revoked = 1), ` +
        `countIf(revoked = 0 AND NOT ${isLive}) FROM (${versions}) GROUP BY type ORDER BY name`,
    );
    const types = readAll(rows, (row) => ({
      type: row.string(),
      issued: row.u64(),
      live: row.u64(),
      revoked: row.u64(),
      expired: row.u64(),
    }));
    const answer = { attester, types, latest_block_time: formatTimeNs(snapshot.latestBlockTimeNs) };
    return { parts: [JSON.stringify(answer)] };
  },
};
