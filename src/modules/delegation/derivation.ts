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
      const { columns } = versions;
      columns.id.u64big(delegation.id);
      columns.height.u64(height);
      columns.holder.text(delegation.holder);
      columns.asset_id.text(delegation.assetId);
      columns.kind_id.u32(delegation.kindId);
      columns.units.i256(delegation.units);
      columns.delegate.text(delegation.delegate);
      columns.until.text(delegation.until);
      columns.purposes.textArray(delegation.purposes);
      columns.revocable.u8(delegation.revocable ? 1 : 0);
      columns.ended.text(ended);
      columns.created_height.u64(delegation.createdHeight);
      columns.created_tx_hash.fixed(delegation.createdTxHash);
      columns.ended_height.u64(ended === '' ? 0 : height);
      versions.rows++;
    };

    const list = ({ delegation }: Change, gone: number, { height }: BlockAt): void => {
      const { columns } = byAccount;
      for (const account of new Set([delegation.holder, delegation.delegate])) {
        columns.account.text(account);
        columns.id.u64big(delegation.id);
        columns.height.u64(height);
        columns.gone.u8(gone);
        byAccount.rows++;
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
          if (change.isNew) list(change, 0, block);
          if (change.ended !== '') list(change, 1, block);
        }
        changed.clear();
      },
      async restore(reader) {
        await reader.latest(DELEGATIONS, ['id', 'ended'], (row) => {
          const id = row.u64big();
          const ended = row.string();
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
              id: row.u64big(),
              holder: row.string(),
              assetId: row.string(),
              kindId: row.u32(),
              units: row.i256(),
              delegate: row.string(),
              until: row.string(),
              purposes: row.stringArray(),
              revocable: row.bool(),
              createdHeight: row.u64(),
              createdTxHash: Uint8Array.from(row.fixed(32)),
            };
            active.set(delegation.id, delegation);
          },
          ['ended', ''],
        );
      },
    };
  },
};

function endingOf(reason: string): Ending {
  return ENDINGS.find((known) => known === reason) ?? 'END_REASON_UNSPECIFIED';
}
