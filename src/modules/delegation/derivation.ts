import { formatTimeNs } from 'strata-kit/time';
import type { BlockAt, Derivation } from '../../derive/derivation.ts';
import { on } from '../../derive/derivation.ts';
import { assetDerivation } from '../asset/derivation.ts';
import { createClosedRecords } from '../closed-records.ts';
import { DELEGATED, DELEGATION_ENDED } from './events.ts';
import { DELEGATIONS, DELEGATIONS_BY_ACCOUNT } from './tables.ts';

/** Closed records keep the place of theirs; the last one stands for whatever else an event may tell. */
const ENDINGS = [
  'END_REASON_EXPIRED',
  'END_REASON_REVOKED',
  'END_REASON_RETURNED',
  'END_REASON_UNSPECIFIED',
] as const;
type Ending = (typeof ENDINGS)[number];

/** A status of drift rows, beside the endings. */
const ACTIVE = 'active';

/** As long as it is active. */
interface Active {
  readonly id: bigint;
  readonly holder: string;
  readonly assetId: string;
  readonly kindId: number;
  readonly units: bigint;
  readonly delegate: string;
  readonly until: string;
  readonly purposes: readonly string[];
  readonly revocable: boolean;
  readonly createdHeight: number;
  readonly createdTxHash: Uint8Array;
}

interface Change {
  readonly delegation: Active;
  readonly isNew: boolean;
  /** Empty while active. */
  readonly ended: Ending | '';
}

const NO_HASH = new Uint8Array(32);

/** Delegations (modules.md rule 9). What they lock, the events of rights tell. */
export const delegationDerivation: Derivation = {
  module: 'delegation',
  tables: [DELEGATIONS, DELEGATIONS_BY_ACCOUNT],
  reads: ['asset'],
  open(setup) {
    const assets = setup.stateOf(assetDerivation);
    const versions = setup.table(DELEGATIONS);
    const byAccount = setup.table(DELEGATIONS_BY_ACCOUNT);
    const active = new Map<bigint, Active>();
    const closed = createClosedRecords();
    const changed = new Map<bigint, Change>();

    const append = ({ delegation, ended }: Change, { height }: BlockAt): void => {
      versions.append({
        id: delegation.id,
        height,
        holder: delegation.holder,
        asset_id: delegation.assetId,
        kind_id: delegation.kindId,
        units: delegation.units,
        delegate: delegation.delegate,
        until: delegation.until,
        purposes: delegation.purposes,
        revocable: delegation.revocable,
        ended,
        created_height: delegation.createdHeight,
        created_tx_hash: delegation.createdTxHash,
        ended_height: ended === '' ? 0 : height,
      });
    };

    const list = ({ delegation }: Change, gone: boolean, { height }: BlockAt): void => {
      for (const account of new Set([delegation.holder, delegation.delegate])) {
        byAccount.append({ account, id: delegation.id, height, gone });
      }
    };

    return {
      state: undefined,
      handlers: [
        on(
          DELEGATED,
          (event, context) => {
            const { id, untilNs, purposes, ...terms } = event;
            const ending = closed.get(id);
            if (active.has(id) || ending !== undefined) {
              context.compare('status', ending === undefined ? ACTIVE : (ENDINGS[ending] ?? ''), '');
              return;
            }
            const delegation = {
              ...terms,
              id,
              until: formatTimeNs(untilNs),
              purposes: purposes.map((purpose) => purpose.replace('PURPOSE_', '')),
              createdHeight: context.height,
              createdTxHash: context.txHash ?? NO_HASH,
            };
            active.set(id, delegation);
            changed.set(id, { delegation, isNew: true, ended: '' });
          },
          ({ assetId, kindId }) => assets.getKind(assetId, kindId) !== undefined,
        ),
        on(
          DELEGATION_ENDED,
          ({ id, reason }, context) => {
            const delegation = active.get(id);
            if (delegation === undefined) {
              // it has ended already, and stays as it ended
              context.compare('status', ENDINGS[closed.get(id) ?? -1] ?? '', ACTIVE);
              return;
            }
            active.delete(id);
            const ended = endingOf(reason);
            closed.set(id, ENDINGS.indexOf(ended));
            changed.set(id, { delegation, isNew: changed.has(id), ended });
          },
          ({ id }) => active.has(id) || closed.get(id) !== undefined,
        ),
      ],
      endBlock(block) {
        for (const change of changed.values()) {
          append(change, block);
          if (change.isNew) list(change, false, block);
          if (change.ended !== '') list(change, true, block);
        }
        changed.clear();
      },
      async restore(reader) {
        await reader.latest(DELEGATIONS, ['id', 'ended'], (row) => {
          const id = row.id;
          const ended = row.ended;
          if (ended !== '') closed.set(id, ENDINGS.indexOf(endingOf(ended)));
        });
        await reader.latest(
          DELEGATIONS,
          [
            'id',
            'holder',
            'asset_id',
            'kind_id',
            'units',
            'delegate',
            'until',
            'purposes',
            'revocable',
            'created_height',
            'created_tx_hash',
          ],
          (row) => {
            const delegation = {
              id: row.id,
              holder: row.holder,
              assetId: row.asset_id,
              kindId: row.kind_id,
              units: row.units,
              delegate: row.delegate,
              until: row.until,
              purposes: row.purposes,
              revocable: row.revocable,
              createdHeight: row.created_height,
              createdTxHash: Uint8Array.from(row.created_tx_hash),
            };
            active.set(delegation.id, delegation);
          },
          ['ended', ['']],
        );
      },
    };
  },
};

function endingOf(reason: string): Ending {
  return ENDINGS.find((known) => known === reason) ?? 'END_REASON_UNSPECIFIED';
}
