#!/usr/bin/env node
/**
 * The command's entry. It is CommonJS for one reason: libuv reads UV_THREADPOOL_SIZE when its pool is first used, and
 * Node's loader uses the pool to read an ES module, so that an ES module cannot set it for its own process (seen on
 * Node 20: 4 pool threads whatever main.ts set, 16 when set here). The embedded ClickHouse runs each query on a thread
 * of this pool: one for the writer's session, several for the API's, and the rest for files and DNS.
 */
process.env.UV_THREADPOOL_SIZE ??= '16';
// uWebSockets.js reads it when it is loaded; 4,096 bytes without it. MAX_HEAD_BYTES of src/api/request-head.ts.
process.env.UWS_HTTP_MAX_HEADERS_SIZE = '16384';
import('./main.ts').catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
