import PQueue from 'p-queue';
import { systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { isObject } from 'strata-kit/json';
import type { HeaderFields, NodeAccess } from 'strata-kit/node-access';
import { silentLog } from '../chain/log.ts';
import { createRpcSource, type RpcSourceOptions } from '../chain/rpc/source.ts';
import type { BlockSource } from '../chain/source.ts';
import { type Reconciliation, reconcile } from '../reconcile/reconcile.ts';
import {
  createExportTurns,
  type ExportTurns,
  MAX_EXPORT_BODY_BYTES,
  type ReconciledExport,
} from '../reconcile/reconcile-export.ts';
import type { StoreFactory } from '../store/store.ts';

/** A comparison that a command asks for, as it goes to the process that has the store open. */
export interface Verification {
  readonly rpcUrls: readonly string[];
  readonly nodeAccess: NodeAccess;
  readonly chainId: string | undefined;
  readonly namespace: string;
  /** Undefined: the newest that store and nodes have. */
  readonly height: number | undefined;
  /** Undefined: all. */
  readonly assetId: string | undefined;
  readonly deep: boolean;
}

/** Null where the store derives no modules. Errors: those of reconcile. */
export async function verifyStores(
  stores: StoreFactory,
  { rpcUrls, nodeAccess: access, chainId, ...wish }: Verification,
  signal?: AbortSignal,
): Promise<Reconciliation | null> {
  const source = createRpcSource({ urls: rpcUrls, access, log: silentLog, chainId });
  try {
    const done = await reconcile({ ...wish, stores, source, signal, nowMs: systemClock.nowMs });
    return done ?? null;
  } finally {
    await source.close();
  }
}

/**
 * Comparisons of a run that follows a chain, one at a time. They have connections of their own: what they fail at, blocks
 * do not feel.
 */
export interface FollowedVerification {
  /** Undefined where the store derives no modules. Errors: those of reconcile. */
  run(signal: AbortSignal): Promise<Reconciliation | undefined>;
  /** The next module's whole state. Undefined where there is nothing to compare. Errors: those of reconcile. */
  runExport(signal: AbortSignal): Promise<ReconciledExport | undefined>;
  close(): Promise<void>;
}

/** A node that does not answer is asked again at the next comparison. */
const FOLLOWED_LIMITS = { attemptsPerNode: 2, maxTotalMs: 30_000 };
/** An Export that is too large would be as large again. */
const EXPORT_SOURCE_LIMITS = { attemptsPerNode: 1, maxTotalMs: 30_000, maxBodyBytes: MAX_EXPORT_BODY_BYTES };

export function followVerification(
  stores: StoreFactory,
  {
    rpcUrls,
    nodeAccess: access,
    chainId,
    namespace,
  }: Pick<Verification, 'rpcUrls' | 'nodeAccess' | 'chainId' | 'namespace'>,
): FollowedVerification {
  const nodes = { urls: rpcUrls, access, log: silentLog, chainId };
  const common = { stores, namespace, nowMs: systemClock.nowMs };
  const sources: BlockSource[] = [];
  const open = (limits: Partial<RpcSourceOptions>): BlockSource => {
    const source = createRpcSource({ ...nodes, ...limits });
    sources.push(source);
    return source;
  };
  let source: BlockSource | undefined;
  let turns: ExportTurns | undefined;
  /** Sequences follow the order in which rows are stored: two at once could hide the rows of one from readers. */
  const lane = new PQueue({ concurrency: 1 });
  return {
    run: (signal) =>
      lane.add(() => {
        source ??= open(FOLLOWED_LIMITS);
        return reconcile({ ...common, source, prune: true, signal });
      }),
    runExport: (signal) =>
      lane.add(() => {
        turns ??= createExportTurns({ ...common, source: open(EXPORT_SOURCE_LIMITS) });
        return turns.next(signal);
      }),
    async close() {
      await Promise.all(sources.map((each) => each.close()));
    },
  };
}

/** Errors: bad_request. */
export function readVerification(argument: unknown): Verification {
  const { rpcUrls, nodeAccess, chainId, namespace, height, assetId, deep } = isObject(argument)
    ? argument
    : {};
  if (!Array.isArray(rpcUrls) || !rpcUrls.every((url) => typeof url === 'string') || rpcUrls.length === 0) {
    throw new StrataError('bad_request', 'a comparison needs nodes');
  }
  return {
    rpcUrls,
    nodeAccess: readAccess(nodeAccess),
    chainId: typeof chainId === 'string' ? chainId : undefined,
    namespace: String(namespace),
    height: typeof height === 'number' ? height : undefined,
    assetId: typeof assetId === 'string' ? assetId : undefined,
    deep: deep === true,
  };
}

function readAccess(argument: unknown): NodeAccess {
  const { headers, caPath, requestsPerSecond } = isObject(argument) ? argument : {};
  return {
    headers: readFields(headers),
    caPath: typeof caPath === 'string' ? caPath : undefined,
    requestsPerSecond: typeof requestsPerSecond === 'number' ? requestsPerSecond : undefined,
  };
}

function readFields(argument: unknown): NodeAccess['headers'] {
  const entries = Object.entries(isObject(argument) ? argument : {}).map(([url, fields]) => {
    const pairs = Object.entries(isObject(fields) ? fields : {}).map(([name, value]) => [
      name,
      String(value),
    ]);
    return [url, Object.fromEntries(pairs) as HeaderFields] as const;
  });
  return Object.fromEntries(entries);
}
