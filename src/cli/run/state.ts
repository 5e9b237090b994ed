import type { CommandContext } from 'strata-kit/cli/context';
import { StrataError } from 'strata-kit/errors';
import { formatTimeNs } from 'strata-kit/time';
import { readAddress } from '../../api/params.ts';
import type { StoreChoice } from '../../core/store-choice.ts';
import { readFacts } from '../../store/facts.ts';
import { checkReadable } from '../../store/migrations.ts';
import type { Store } from '../../store/store.ts';
import { readStateAt, type StateAsOf } from '../historic-state.ts';
import { withStores } from '../stores.ts';
import { type TableColumn, tableLines } from '../table.ts';

export interface StateOptions {
  readonly store: StoreChoice;
  /** Undefined: the newest. */
  readonly height: number | undefined;
  readonly assetId: string | undefined;
  /** As typed. */
  readonly account: string | undefined;
  readonly json: boolean;
}

/**
 * strata state: what an asset's holders, or an account, had as of a height, and what income there was. Read from the
 * versions, so that every indexed height answers alike.
 *
 * Errors: config_invalid for a height that the store does not hold, an account or asset id that is none, or a store
 * without modules; not_found for an asset that there was not.
 */
export async function state(options: StateOptions, context: CommandContext): Promise<void> {
  const found = await withStores(
    options.store,
    async (stores) => {
      const store = await stores.open('state');
      await checkReadable(store, stores.name);
      const account = options.account === undefined ? undefined : await canonical(store, options.account);
      return readStateAt(store, { height: options.height, assetId: options.assetId, account });
    },
    { mustExist: true },
  );
  if (options.json) context.print(JSON.stringify(jsonOf(found)));
  else for (const line of linesOf(found, context.columns)) context.print(line);
  if (found.positionsLeftOut > 0) {
    context.log.warn(
      `${found.positionsLeftOut} smaller positions are left out: strata sql reads them from positions_history`,
    );
  }
}

/** Errors: config_invalid. */
async function canonical(store: Store, account: string): Promise<string> {
  const hrp = (await readFacts(store)).get('hrp') ?? '';
  const address = readAddress(account, hrp);
  if (address !== undefined) return address.bech32;
  throw new StrataError('config_invalid', `--account must be a valid ${hrp}1… or 0x address, not ${account}`);
}

function jsonOf({ height, timeNs, positions, positionsLeftOut, accruals, claimable }: StateAsOf): object {
  return {
    height,
    block_time: formatTimeNs(timeNs),
    positions: positions.map(({ assetId, kindId, holder, units, encumbered, locks }) => ({
      asset_id: assetId,
      kind_id: kindId,
      holder,
      units: String(units),
      encumbered: String(encumbered),
      transferable: String(units - encumbered),
      locks: locks.map((lock) => ({ ref: lock.ref, units: String(lock.units) })),
    })),
    positions_left_out: positionsLeftOut,
    accruals,
    claimable,
  };
}

function linesOf(found: StateAsOf, width: number | undefined): string[] {
  const table = (names: string, rows: readonly (readonly string[])[]): string[] =>
    rows.length === 0 ? ['(none)'] : tableLines(names.split(' ').map(columnOf), rows, width);
  const positions = found.positions.map(({ assetId, kindId, holder, units, encumbered, locks }) => [
    assetId,
    String(kindId),
    holder,
    String(units),
    String(encumbered),
    String(units - encumbered),
    locks.map((lock) => `${lock.ref}: ${lock.units}`).join(', '),
  ]);
  const accruals = found.accruals?.map((each) => [
    String(each.kind_id),
    each.denom,
    each.total_distributed,
    each.total_paid,
    each.sum_claimable,
    each.carry,
    each.residue,
    each.index,
  ]);
  const claimable = found.claimable?.map((each) => [
    each.asset_id,
    String(each.kind_id),
    each.denom,
    each.ref,
    each.routed_from,
    each.pending,
    each.accrued,
    each.total,
  ]);
  return [
    `as of height ${found.height}, ${formatTimeNs(found.timeNs)}`,
    '',
    'positions',
    ...table('asset #kind holder #units #encumbered #transferable locks', positions),
    ...(accruals === undefined
      ? []
      : [
          '',
          'accruals',
          ...table('#kind denom #distributed #paid #claimable #carry #residue #index', accruals),
        ]),
    ...(claimable === undefined
      ? []
      : ['', 'claimable', ...table('asset #kind denom ref routed_from #pending #accrued #total', claimable)]),
  ];
}

/** `#` before a name: numbers. */
function columnOf(name: string): TableColumn {
  return { name: name.replace('#', ''), isNumber: name.startsWith('#') };
}
