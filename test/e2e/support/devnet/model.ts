import type { DevnetNode } from '../../../support/devnet-node.ts';
import { type History, historyOf, type Json, type Told } from './history.ts';

/** A devnet as its answers should be: its modules' own state at the head, and what its blocks told. */
export interface Model {
  readonly history: History;
  readonly assets: readonly Json[];
  readonly positions: readonly Json[];
  readonly supplies: readonly Json[];
  readonly accruals: readonly Json[];
  readonly settlements: readonly Json[];
  readonly encumbrances: readonly Json[];
  readonly delegations: readonly Json[];
  readonly attestations: readonly Json[];
  readonly waterfalls: readonly Json[];
  /** As of the head's time. */
  readonly routes: readonly Json[];
  /** By asset id: the chain's own token addresses. */
  readonly tokens: ReadonlyMap<string, readonly Json[]>;
  /** What the chain says that an account may claim. */
  claimable(account: string): Promise<readonly Json[]>;
  /** Events of a type (`rights.EventIssued`) that match. */
  told(type: string, match?: (fields: Json) => boolean): Told[];
}

export async function modelOf(node: DevnetNode): Promise<Model> {
  const history = historyOf(node);
  const of = async (module: string, name: string, method = 'Export'): Promise<readonly Json[]> =>
    ((await node.query(module, method)) as Json)[name] ?? [];
  const assets = await of('asset', 'assets');
  const tokens = new Map<string, readonly Json[]>();
  for (const { id } of assets) {
    const answer = (await node.query('rights', 'Tokens', { asset_id: id })) as Json;
    tokens.set(id, answer.tokens);
  }
  return {
    history,
    assets,
    tokens,
    positions: (await of('rights', 'positions')).filter(({ units }) => units !== '0'),
    supplies: await of('rights', 'supplies'),
    accruals: await of('payout', 'accruals'),
    settlements: await of('settlement', 'settlements'),
    encumbrances: await of('encumbrance', 'encumbrances'),
    delegations: await of('delegation', 'delegations'),
    attestations: await of('attestation', 'attestations'),
    waterfalls: await of('waterfall', 'waterfalls'),
    routes: await of('bridge', 'routes', 'Routes'),
    claimable: async (address) =>
      ((await node.query('payout', 'Claimable', { address, asset_id: '' })) as Json).entries,
    told(type, match = () => true) {
      const [module, event] = type.split('.');
      const full = `aeva.${module}.v1.${event}`;
      return history.events.filter((each) => each.type === full && match(each.fields));
    },
  };
}

/** The first of a list that must have one. */
export function only<T>(list: readonly T[], what: string): T {
  const [first] = list;
  if (first === undefined) throw new Error(`the devnet told nothing of ${what}`);
  return first;
}
