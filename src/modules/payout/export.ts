import { columnNames } from '../../core/reading.ts';
import type { ModuleExport, QueryJson, RecordFields, Records, StateAt } from '../export.ts';
import { bigint, integer, list, text } from '../export-json.ts';
import { POSITIONS } from '../rights/tables.ts';
import { pendingIncome } from './income.ts';
import { ACCRUALS, INCOME_ROUTES, SETTLED_INCOME } from './tables.ts';

/** Accruals with what all may claim, the units of bases, and how far each is settled. */
export const payoutExport: ModuleExport = {
  chain: (exported) => {
    const bases: Bases = new Map();
    for (const basis of list(exported, 'bases')) {
      const ref = text(basis, 'ref');
      const holder = text(basis, 'holder');
      const whose = text(basis, 'beneficiary') || holder;
      const routedFrom = ref === '' ? '' : holder;
      addUnits(bases, kindKeyOf(basis), nameOf(whose, ref), bigint(basis, 'units'), routedFrom);
      for (const settled of list(basis, 'accruals')) {
        addSettled(
          bases,
          kindKeyOf(basis),
          nameOf(whose, ref),
          text(settled, 'denom'),
          bigint(settled, 'last_index'),
          bigint(settled, 'accrued'),
        );
      }
    }
    const accruals = list(exported, 'accruals').map(
      (each) =>
        [
          `accrual ${kindKeyOf(each)} ${text(each, 'denom')}`,
          {
            index: integer(each, 'index'),
            carry_scaled: integer(each, 'carry_scaled'),
            total_distributed: integer(each, 'total_distributed'),
            total_paid: integer(each, 'total_paid'),
            distributions_count: integer(each, 'distributions_count'),
            sum_claimable: integer(each, 'sum_claimable'),
          },
        ] as const,
    );
    return new Map<string, RecordFields>([...accruals, ...basisRecords(bases)]);
  },
  store: async (state) => {
    const bases = await readBases(state);
    const accruals = await state.latest(ACCRUALS, columnNames(ACCRUALS), (row) => {
      const kind = `${row.asset_id}/${row.kind_id}`;
      const denom = row.denom;
      const index = row.income_index;
      const fields = {
        index,
        carry_scaled: row.carry_scaled,
        total_distributed: String(row.total_distributed),
        total_paid: String(row.total_paid),
        distributions_count: String(row.distributions),
        sum_claimable: String(sumClaimable(bases.get(kind), denom, BigInt(index))),
      };
      return [`accrual ${kind} ${denom}`, fields] as const;
    });
    return new Map<string, RecordFields>([...accruals, ...basisRecords(bases)]);
  },
};

/** By kind, then by whose they are (modules.md rule 4). */
type Bases = Map<string, Map<string, Basis>>;

interface Basis {
  units: bigint;
  /** Of a route: whose units these are. */
  routedFrom: string;
  /** By denom; one that was never touched is settled up to 0. */
  readonly settled: Map<string, { readonly lastIndex: bigint; readonly accrued: bigint }>;
}

function kindKeyOf(record: QueryJson): string {
  return `${text(record, 'asset_id')}/${integer(record, 'kind_id')}`;
}

/** A route is its beneficiary's, under its ref. */
function nameOf(account: string, ref: string): string {
  return `${account} ${ref}`.trimEnd();
}

function basisOf(bases: Bases, kind: string, name: string): Basis {
  const ofKind = bases.get(kind) ?? new Map<string, Basis>();
  bases.set(kind, ofKind);
  const basis = ofKind.get(name) ?? { units: 0n, routedFrom: '', settled: new Map() };
  ofKind.set(name, basis);
  return basis;
}

function addUnits(bases: Bases, kind: string, name: string, units: bigint, routedFrom: string): void {
  if (units === 0n && routedFrom === '') return;
  const basis = basisOf(bases, kind, name);
  basis.units += units;
  basis.routedFrom = routedFrom;
}

function addSettled(
  bases: Bases,
  kind: string,
  name: string,
  denom: string,
  lastIndex: bigint,
  accrued: bigint,
): void {
  basisOf(bases, kind, name).settled.set(denom, { lastIndex, accrued });
}

async function readBases(state: StateAt): Promise<Bases> {
  const bases: Bases = new Map();
  await state.latest(POSITIONS, ['asset_id', 'kind_id', 'holder', 'units', 'routed'], (row) =>
    addUnits(bases, `${row.asset_id}/${row.kind_id}`, row.holder, row.units - row.routed, ''),
  );
  await state.latest(INCOME_ROUTES, ['asset_id', 'kind_id', 'beneficiary', 'ref', 'units', 'holder'], (row) =>
    addUnits(
      bases,
      `${row.asset_id}/${row.kind_id}`,
      nameOf(row.beneficiary, row.ref),
      row.units,
      row.holder,
    ),
  );
  await state.latest(SETTLED_INCOME, columnNames(SETTLED_INCOME), (row) =>
    addSettled(
      bases,
      `${row.asset_id}/${row.kind_id}`,
      nameOf(row.account, row.ref),
      row.denom,
      BigInt(row.last_index),
      row.accrued,
    ),
  );
  return bases;
}

/** Ended routes stay. Up to where a basis without units is settled has no meaning. */
function basisRecords(bases: Bases): Records {
  const records = new Map<string, RecordFields>();
  for (const [kind, ofKind] of bases) {
    for (const [name, { units, routedFrom, settled }] of ofKind) {
      if (units !== 0n || routedFrom !== '')
        records.set(`basis ${kind} ${name}`, { units: String(units), holder: routedFrom });
      for (const [denom, { lastIndex, accrued }] of settled) {
        const upTo = units === 0n ? 0n : lastIndex;
        if (upTo === 0n && accrued === 0n) continue;
        const fields = { last_index: String(upTo), accrued: String(accrued) };
        records.set(`settled ${kind} ${name} ${denom}`, fields);
      }
    }
  }
  return records;
}

function sumClaimable(ofKind: ReadonlyMap<string, Basis> | undefined, denom: string, index: bigint): bigint {
  let sum = 0n;
  for (const { units, settled } of ofKind?.values() ?? []) {
    const { lastIndex, accrued } = settled.get(denom) ?? { lastIndex: 0n, accrued: 0n };
    sum += accrued + pendingIncome(units, index, lastIndex);
  }
  return sum;
}
