import { type BlockClock, parseClockScript, simulatedClock } from 'strata-devnet/comet/clock';
import { parseStepClock } from 'strata-devnet/comet/step-clock';
import type { Chain } from 'strata-devnet/comet/types';
import type { Devnet } from 'strata-devnet/devnet';
import { withFaults } from 'strata-devnet/faults/faults';
import { parseFaults } from 'strata-devnet/faults/names';
import { startRpc } from 'strata-devnet/rpc/server';
import type { JsonObject } from 'strata-kit/proto-json';
import { play } from '../../devnet/test/workload/play.ts';
import { createRpcSource } from '../../src/chain/rpc/source.ts';
import type { BlockSource } from '../../src/chain/source.ts';

/** The reference chain with its workload, in memory, behind a node. */
export interface DevnetNode {
  readonly devnet: Devnet;
  /** The chain as the node's readers see it: with its faults. */
  readonly told: Chain;
  readonly url: string;
  readonly source: BlockSource;
  readonly height: number;
  /** The chain's own answer to a query of a module, as of a height that it keeps: `rights`, `Export`. No fault is in it. */
  query(module: string, method: string, request?: JsonObject, height?: number): Promise<JsonObject>;
  /** Makes more blocks. */
  goOn(blocks: number): Promise<void>;
  close(): Promise<void>;
}

export interface DevnetNodeOptions {
  /** Of the chain and its workload; 1. */
  readonly seed?: number;
  readonly blocks: number;
  /** 8 by default. */
  readonly txsPerBlock?: number;
  /** As `strata devnet --fault` takes them; none by default. */
  readonly faults?: readonly string[];
  /** As `strata devnet --clock-script` reads it; 5 s a block by default. */
  readonly clockScript?: string;
  /** As `strata corpus --clock` reads it, which brings the rare scenarios in from the beginning. */
  readonly steps?: string;
}

export async function startDevnetNode(options: DevnetNodeOptions): Promise<DevnetNode> {
  const { seed = 1, blocks, txsPerBlock = 8, faults = [], steps } = options;
  const clock = options.clockScript === undefined ? {} : { clock: clockOf(options.clockScript) };
  const { devnet, run } = await play(seed, {
    keep: undefined,
    ...clock,
    ...(steps === undefined ? {} : { steps: parseStepClock(steps, blocks) }),
  });
  await run(blocks, txsPerBlock);
  const { app, signer } = devnet;
  const told = withFaults(devnet.chain, parseFaults(faults), { signer, codec: app.codec });
  const rpc = await startRpc({ chain: told, port: 0 });
  const source = createRpcSource({ urls: [rpc.url] });
  let height = blocks;
  return {
    devnet,
    told,
    url: rpc.url,
    source,
    get height() {
      return height;
    },
    async query(module, method, request = {}, at = height) {
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
    },
    async close() {
      await source.close();
      await rpc.close();
      await devnet.stop();
    },
  };
}

function clockOf(script: string): BlockClock {
  return simulatedClock(parseClockScript(script));
}
