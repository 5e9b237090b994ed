/** A ClickHouse server, its URL taken apart so that `url` and `database` may be shown. */
export interface ServerAddress {
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  readonly database: string;
}

export const DEFAULT_DATABASE = 'strata';

/** Of docs/cluster.md. */
export interface ClusterChoice {
  readonly cluster: string;
  readonly isReplicated: boolean;
}

export type StoreChoice =
  | { readonly kind: 'embedded'; readonly folder: string }
  | ({ readonly kind: 'server'; readonly cluster?: ClusterChoice | undefined } & ServerAddress);
