import { ascending, command } from 'strata-kit/cli/command';
import { need, vary } from 'strata-kit/cli/setting';
import { rpc, rpcCa } from 'strata-kit/settings/nodes';
import { chainId, capture as folder, from, nodesOf, rps, to } from '../../settings/source.ts';

export const capture = command({
  name: 'capture',
  summary: 'record heights of a live node into a folder',
  settings: [
    need(rpc, 'the nodes to record'),
    rpcCa,
    rps,
    need(vary(folder, { text: 'the folder to write' }), 'the folder to write'),
    chainId,
    from,
    vary(to, { text: 'last height (default: the head when it starts)' }),
  ],
  rules: [ascending(from, to)],
  examples: ['strata capture --rpc http://127.0.0.1:26657 --capture ./capture --from 1 --to 500'],
  options: (given) => ({
    nodes: nodesOf(given),
    captureFolder: given.capture,
    fromHeight: given.from,
    toHeight: given.to,
    chainId: given.chainId,
  }),
  run: async (options, context) => (await import('../run/capture.ts')).capture(options, context),
});
