import { either } from 'strata-kit/cli/command';
import { httpUrl, onOff, percentDecode, text, trueOrFalse } from 'strata-kit/cli/kinds';
import { type Given, kind, setting } from 'strata-kit/cli/setting';
import { data } from 'strata-kit/settings/chain';
import { z } from 'zod';
import { DEFAULT_DATABASE, type ServerAddress, type StoreChoice } from '../core/store-choice.ts';

/** Where the rows are. */

const group = 'Store';

const serverAddress = kind<ServerAddress>(
  'the http or https URL of a ClickHouse server, with user:password@ and /database where needed',
  '<url>',
  z.string().transform(parseServer),
);

function parseServer(given: string, context: z.RefinementCtx): ServerAddress {
  const parsed = httpUrl.safeParse(given);
  const url = parsed.success ? new URL(given) : undefined;
  const database = /^\/(\w*)$/.exec(url?.pathname ?? '')?.[1];
  const user = percentDecode(url?.username);
  const password = percentDecode(url?.password);
  const isPlain = url?.search === '' && url.hash === '';
  if (!isPlain || database === undefined || user === undefined || password === undefined) {
    context.addIssue({ code: 'custom', message: 'URL of a server' });
    return z.NEVER;
  }
  return {
    url: url.origin,
    ...(user === '' ? {} : { user }),
    ...(password === '' ? {} : { password }),
    database: database === '' ? DEFAULT_DATABASE : database,
  };
}

export const clickhouse = setting('clickhouse', serverAddress, {
  group,
  text: 'ClickHouse server: http://user:password@host:8123/database',
  secrecy: 'url',
  secrets: ({ password }) => ({ urls: [], passwords: password === undefined ? [] : [password] }),
});

export const cluster = setting('cluster', text("a cluster's name", '<name>', /^[A-Za-z_]\w{0,63}$/), {
  group,
  text: 'the server is one of this cluster: tables on every shard (docs/cluster.md)',
});

export const replicated = setting('replicated', trueOrFalse, {
  group,
  text: "whether the cluster's tables are replicated",
  default: 'true',
});

export const durable = setting('durable', onOff, {
  group,
  text: 'commits wait until they are on the disk (default: a power failure may take the last ones)',
  preset: false,
});

export const STORE = [data, clickhouse] as const;
export const CLUSTER = [cluster, replicated] as const;
/** A data folder or a server. */
export const STORE_RULE = either(data, clickhouse);

/** The store of a command that writes to it as to one of a cluster. */
export function clusteredStoreOf({
  cluster: name,
  replicated: isReplicated,
  ...given
}: Given<typeof STORE> & Given<typeof CLUSTER>): StoreChoice {
  const store = storeOf(given);
  return store.kind === 'embedded' || name === undefined
    ? store
    : { ...store, cluster: { cluster: name, isReplicated } };
}

export function storeOf({ data: folder, clickhouse: server }: Given<typeof STORE>): StoreChoice {
  return server === undefined ? { kind: 'embedded', folder } : { kind: 'server', ...server };
}
