import { formatTimeNs } from 'strata-kit/time';
import { parseAddress } from '../../../api/params.ts';
import { pathParam, type Route } from '../../../api/route.ts';
import { assetsOf } from '../../asset/assets-read.ts';
import { attestationsOf } from '../../attestation/attestation-json.ts';
import { activeOf, delegationJson } from '../../delegation/delegations-read.ts';
import { claimableOf } from '../../payout/claimable-read.ts';
import { locksOf, positionsOf } from '../../rights/positions-read.ts';
import { settlementJson } from '../../settlement/settlement-json.ts';
import { pendingOf } from '../../settlement/settlements-read.ts';
import { accountAssets, votingPower } from '../holdings.ts';

/** Everything that binds an account or belongs to it, as of the indexed head; empty lists for an unknown one. */
export const accountRoute: Route = {
  path: '/v1/accounts/{addr}',
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const address = parseAddress(pathParam(request, 'addr'), context.chain.hrp);
    const account = address.bech32;
    const [positions, locks, settlements, attestations, claimable, delegations] = await Promise.all([
      positionsOf(context, account),
      locksOf(context, account),
      pendingOf(context, account),
      attestationsOf(context, account),
      claimableOf(context, account),
      activeOf(context, account),
    ]);
    const assetIds = new Set([...positions, ...delegations].map(({ assetId }) => assetId));
    const assets = await assetsOf(context, [...assetIds]);
    const fields: readonly (readonly [name: string, json: string])[] = [
      ['address', JSON.stringify(account)],
      ['evm_address', JSON.stringify(address.evmAddress)],
      ['assets', JSON.stringify(accountAssets(positions, assets))],
      [
        'locks',
        JSON.stringify(
          locks.map(({ assetId, kindId, ref, units }) => ({
            asset_id: assetId,
            kind_id: kindId,
            ref,
            units: String(units),
          })),
        ),
      ],
      ['pending_settlements', `[${settlements.map((settlement) => settlementJson(settlement)).join(',')}]`],
      ['attestations', JSON.stringify(attestations)],
      ['claimable', JSON.stringify(claimable)],
      ['delegations', `[${delegations.map(delegationJson).join(',')}]`],
      ['voting_power', JSON.stringify(votingPower(account, positions, delegations, assets))],
      ['latest_block_time', JSON.stringify(formatTimeNs(context.snapshot.latestBlockTimeNs))],
    ];
    return { parts: [`{${fields.map(([name, json]) => `"${name}":${json}`).join(',')}}`] };
  },
};
