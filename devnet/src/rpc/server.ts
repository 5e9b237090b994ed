import { type RpcLimits, type RpcServer, startRpcServer } from 'strata-kit/rpc/server';
import type { Chain } from '../comet/types.ts';
import { openNode } from './node.ts';

export interface RpcOptions extends RpcLimits {
  readonly chain: Chain;
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Names in a Host header that are answered besides loopback names and `host`. */
  readonly allowedHosts?: readonly string[];
  /** Hears of what went wrong outside any answer, such as a broken socket. */
  readonly onError?: (error: unknown) => void;
  /** Of printed blocks that are kept; 64 MB. */
  readonly cacheBytes?: number | undefined;
  /** How long broadcast_tx_commit waits; 10 s. */
  readonly commitTimeoutMs?: number | undefined;
}

/** CometBFT's JSON-RPC of the chain, which stays the caller's. Errors: those of listening (EADDRINUSE and the like). */
export function startRpc(options: RpcOptions): Promise<RpcServer> {
  const { host = '127.0.0.1', allowedHosts = [], onError = () => {} } = options;
  return startRpcServer({
    ...options,
    host,
    allowedHosts,
    node: (address) => openNode({ ...options, listenAddress: `tcp://${address}`, onError }),
  });
}
