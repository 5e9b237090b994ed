import { formatTimeNs } from 'strata-kit/time';
import { parseAddress } from '../../../api/params.ts';
import { pathParam, type Route } from '../../../api/route.ts';
import { attestationsOf } from '../attestation-json.ts';

/** The attestations about an account; empty for an unknown one. */
export const accountAttestationsRoute: Route = {
  path: '/v1/accounts/{addr}/attestations',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const address = parseAddress(pathParam(request, 'addr'), context.chain.hrp).bech32;
    const answer = {
      address,
      attestations: await attestationsOf(context, address),
      latest_block_time: formatTimeNs(context.snapshot.latestBlockTimeNs),
    };
    return { parts: [JSON.stringify(answer)] };
  },
};
