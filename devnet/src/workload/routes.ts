import type { Asset } from './assets.ts';

export type RouteName = 'native' | 'synthetic' | 'tested' | 'right' | 'bundle';

/** A bridge route that a scenario has opened. */
export interface Route {
  readonly name: RouteName;
  readonly id: string;
  /** Of a coin's route, else empty. */
  readonly denom: string;
  /** Of a right's. */
  readonly asset: Asset | undefined;
}
