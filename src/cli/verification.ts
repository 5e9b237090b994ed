import { silentLog } from '../chain/log.ts';
import { createRpcSource } from '../chain/rpc/source.ts';
import type { BlockSource } from '../chain/source.ts';
import { systemClock } from '../core/clock.ts';
import { StrataError } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import { type Reconciliation, reconcile } from '../reconcile/reconcile.ts';
import type { StoreFactory } from '../store/store.ts';

/** A comparison that a command asks for, as it goes to the process that has the store open. */
export interface Verification {
  readonly rpcUrls: readonly string[];
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
  { rpcUrls, chainId, ...wish }: Verification,
  signal?: AbortSignal,
): Promise<Reconciliation | null> {
  const source = createRpcSource({ urls: rpcUrls, log: silentLog, chainId });
  try {
    const done = await reconcile({ ...wish, stores, source, signal, nowMs: systemClock.nowMs });
    return done ?? null;
  } finally {
    await source.close();
  }
}

/** Comparisons of a run that follows a chain, over connections of their own: what they fail at, blocks do not feel. */
export interface FollowedVerification {
  /** Undefined where the store derives no modules. Errors: those of reconcile. */
  run(signal: AbortSignal): Promise<Reconciliation | undefined>;
  close(): Promise<void>;
}

/** A node that does not answer is asked again at the next comparison. */
const FOLLOWED_LIMITS = { attemptsPerNode: 2, maxTotalMs: 30_000 };

export function followVerification(
  stores: StoreFactory,
  { rpcUrls, chainId, namespace }: Pick<Verification, 'rpcUrls' | 'chainId' | 'namespace'>,
): FollowedVerification {
  let source: BlockSource | undefined;
  return {
    run(signal) {
      source ??= createRpcSource({ urls: rpcUrls, log: silentLog, chainId, ...FOLLOWED_LIMITS });
      return reconcile({ stores, source, namespace, prune: true, signal, nowMs: systemClock.nowMs });
    },
    close: async () => source?.close(),
  };
}

/** Errors: bad_request. */
export function readVerification(argument: unknown): Verification {
  const { rpcUrls, chainId, namespace, height, assetId, deep } = isObject(argument) ? argument : {};
  if (!Array.isArray(rpcUrls) || !rpcUrls.every((url) => typeof url === 'string') || rpcUrls.length === 0) {
    throw new StrataError('bad_request', 'a comparison needs nodes');
  }
  return {
    rpcUrls,
    chainId: typeof chainId === 'string' ? chainId : undefined,
    namespace: String(namespace),
    height: typeof height === 'number' ? height : undefined,
    assetId: typeof assetId === 'string' ? assetId : undefined,
    deep: deep === true,
  };
}
