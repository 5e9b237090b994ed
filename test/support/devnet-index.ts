import { createRpcSource } from '../../src/chain/rpc/source.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { Devnet } from '../../src/devnet/devnet.ts';
import type { JsonObject } from '../../src/devnet/json.ts';
import { startRpc } from '../../src/devnet/rpc/server.ts';
import { play } from '../devnet/workload/play.ts';
import { openRecordedApi, type RecordedApi } from '../e2e/support/recorded-api.ts';

/** The reference chain with its workload, indexed into a store, behind the API: what every module is tested on. */
export interface IndexedDevnet {
  readonly devnet: Devnet;
  readonly source: BlockSource;
  readonly api: RecordedApi;
  readonly height: number;
  /** The chain's own answer to a query of a module, as of a height that it keeps: `rights`, `Export`. */
  query(module: string, method: string, request?: JsonObject, height?: number): Promise<JsonObject>;
  /** Makes more blocks, and indexes them. */
  goOn(blocks: number): Promise<void>;
  close(): Promise<void>;
}

export interface DevnetIndexOptions {
  /** Of the chain and its workload; 1. */
  readonly seed?: number;
  readonly blocks: number;
  /** 8 by default. */
  readonly txsPerBlock?: number;
}

export async function openDevnetIndex(options: DevnetIndexOptions): Promise<IndexedDevnet> {
  const { seed = 1, blocks, txsPerBlock = 8 } = options;
  const { devnet, run } = await play(seed, { keep: undefined });
  await run(blocks, txsPerBlock);
  const rpc = await startRpc({ chain: devnet.chain, port: 0 });
  const source = createRpcSource({ urls: [rpc.url] });
  const api = await openRecordedApi(blocks, systemClock, source);
  let height = blocks;
  return {
    devnet,
    source,
    api,
    get height() {
      return height;
    },
    async query(module, method, request = {}, at = height) {
      const { app } = devnet;
      const handler = app.modules.find(({ name }) => name === module)?.queries[
        `/<ns>.${module}.v1.Query/${method}`
      ];
      if (handler === undefined) throw new Error(`${module} has no query ${method}`);
      const { timeNs } = devnet.chain.block(at)?.header ?? { timeNs: 0n };
      return handler(devnet.readerAt(at), request, { height: at, timeNs, parameters: app.parameters });
    },
    async goOn(more) {
      await run(more, txsPerBlock);
      height += more;
      await api.indexTo(height, undefined, source);
    },
    async close() {
      await api.close();
      await source.close();
      await rpc.close();
      await devnet.stop();
    },
  };
}
