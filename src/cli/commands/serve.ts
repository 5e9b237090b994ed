import { command } from 'strata-kit/cli/command';
import { StrataError } from 'strata-kit/errors';
import { modules } from '../../settings/modules.ts';
import { ADMIN, API, adminOf, apiProcess, processes } from '../../settings/serving.ts';
import { STORE, STORE_RULE, storeOf } from '../../settings/store.ts';

export const serve = command({
  name: 'serve',
  summary: 'answer the HTTP API from a store that is indexed elsewhere',
  settings: [...STORE, modules, ...API, processes, ...ADMIN, apiProcess],
  rules: [STORE_RULE],
  examples: ['strata serve --clickhouse http://api:secret@127.0.0.1:8123/strata --listen 0.0.0.0:8080'],
  options: (given) => {
    const store = storeOf(given);
    checkProcesses(given.processes, store.kind, given.http);
    return {
      store,
      listen: given.listen,
      http: { kind: given.http },
      processes: given.processes,
      apiProcess: given.apiProcess,
      modulePaths: given.modules,
      ...adminOf(given),
    };
  },
  run: async (options, context) => (await import('../run/serve.ts')).serve(options, context),
});

/** An embedded engine is one process's: several API processes need a store that answers over HTTP. */
function checkProcesses(count: number, store: 'embedded' | 'server', http: 'uws' | 'node'): void {
  if (count === 1) return;
  if (store === 'embedded') {
    throw new StrataError(
      'config_invalid',
      `--processes ${count} needs a store that processes can share: an embedded one has room for one process. ` +
        'Give --clickhouse <url> of a server, or of strata engine, which serves a data folder',
    );
  }
  if (http === 'node') {
    throw new StrataError(
      'config_invalid',
      `--processes ${count} needs --http uws: node:http cannot share a port. Without uWebSockets.js run ` +
        'several serve processes on ports of their own, behind a proxy',
    );
  }
}
