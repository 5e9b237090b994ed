import { tmpdir } from 'node:os';
import type { CommandContext } from 'strata-kit/cli/context';
import type { ChainParameters } from 'strata-kit/parameters';
import { redactUrl } from 'strata-kit/url';
import type { StoreChoice } from '../../core/store-choice.ts';
import type { NodeChoice } from '../../settings/source.ts';
import { about, type Finding, formatFindings } from '../doctor/finding.ts';
import { checkDisk, checkNodeVersion, checkOpenFiles, readLimits } from '../doctor/machine.ts';
import { checkBranch, checkChainIds, checkNextHeight, checkNode } from '../doctor/nodes.ts';
import { checkStore, type StoreFindings } from '../doctor/store.ts';

export interface DoctorOptions {
  readonly nodes: NodeChoice;
  readonly chainId: string | undefined;
  readonly chain: ChainParameters;
  readonly store: StoreChoice;
  readonly json: boolean;
}

/** strata doctor: looks at everything that indexing needs, changes nothing, and says what to do. */
export async function doctor(options: DoctorOptions, context: CommandContext): Promise<void> {
  const findings = await examine(options, context.signal);
  const problems = findings.filter(({ level }) => level === 'problem').length;
  if (options.json) context.print(JSON.stringify({ ok: problems === 0, findings }));
  else for (const line of formatFindings(findings)) context.print(line);
  if (problems > 0) context.fail();
}

async function examine(options: DoctorOptions, signal: AbortSignal): Promise<Finding[]> {
  const { store } = options;
  const { urls: rpcUrls, access: nodeAccess } = options.nodes;
  const machine = [
    checkNodeVersion(process.versions.node),
    checkOpenFiles(await readLimits()),
    store.kind === 'embedded' ? await checkDisk('data', store.folder) : await checkDisk('spool', tmpdir()),
  ];
  const checkNodes = (facts: StoreFindings['facts']) =>
    Promise.all(
      rpcUrls.map(async (url) => {
        const settings = { configured: options.chain, stored: facts };
        return { url, ...(await checkNode(url, settings, Date.now(), signal, nodeAccess)) };
      }),
    );
  let found: Awaited<ReturnType<typeof checkNodes>> | undefined;
  const stored = await checkStore(store, async (opened, facts) => {
    found = await checkNodes(facts);
    const answering = found.filter(({ chainId }) => chainId !== undefined);
    return (
      await Promise.all(answering.map(({ url }) => checkBranch(url, opened, signal, nodeAccess)))
    ).flat();
  });
  const nodes = found ?? (await checkNodes(stored.facts));
  const ids = nodes.flatMap(({ url, chainId }) =>
    chainId === undefined ? [] : [[redactUrl(url), chainId] as const],
  );
  const wanted = [
    ...(options.chainId === undefined ? [] : [['--chain-id', options.chainId] as const]),
    ...(stored.chainId === undefined ? [] : [['the store', stored.chainId] as const]),
  ];
  const earliest = nodes.flatMap(({ earliestHeight }) => earliestHeight ?? []);
  return [
    ...machine,
    ...stored.findings,
    ...(rpcUrls.length === 0
      ? [about('node', '(none)')('warning', 'no node was given', 'give --rpc to look at nodes')]
      : []),
    ...nodes.flatMap(({ findings }) => findings),
    ...checkChainIds(ids, wanted),
    ...(stored.nextHeight === undefined ? [] : checkNextHeight(stored.nextHeight, earliest)),
  ];
}
