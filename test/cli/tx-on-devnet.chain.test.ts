import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Devnet, openDevnet } from 'strata-devnet/devnet';
import { balance } from 'strata-devnet/modules/bank/keeper';
import { startRpc } from 'strata-devnet/rpc/server';
import type { RpcServer } from 'strata-kit/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inlineSimulations } from '../support/inline-simulations.ts';
import { type LossyRelay, startLossyRelay } from '../support/lossy-relay.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCli } from './console.ts';

/** `strata keys` and `strata tx` on the chain that they are for: every module by its operations, over its RPC. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let devnet: Devnet;
let rpc: RpcServer;

beforeAll(async () => {
  folder = await temporaryFolder();
  // a block when there is a tx: by the clock, a busy machine would pass a tx's timeout height before it is sent
  devnet = await openDevnet({ blockTimeMs: 0, simulations: inlineSimulations });
  rpc = await startRpc({ chain: devnet.chain, port: 0 });
  devnet.start();
});
afterAll(async () => {
  await rpc.close();
  await devnet.stop();
  await folder.remove();
});

const run = (...argv: string[]) => runCli(argv, { io: { cwd: folder.path } });

async function key(name: string, ...options: string[]): Promise<string> {
  const { stdout, stderr } = await run('keys', 'add', name, '--json', ...options);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout)[0].address;
}

interface Answer {
  readonly exitCode: number;
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly height: number | null;
  /** Last values of the typed events, by `<type>.<field>` without the namespace. */
  readonly said: Readonly<Record<string, unknown>>;
}

async function tx(line: string, from: string): Promise<Answer> {
  const { exitCode, stdout, stderr } = await run(
    'tx',
    ...line.split(' '),
    '--from',
    from,
    '--node',
    rpc.url,
    '--json',
  );
  if (stdout === '') throw new Error(stderr);
  const { events = [], ...answer } = JSON.parse(stdout);
  const said: Record<string, unknown> = {};
  for (const { type, attributes } of events) {
    if (!type.startsWith('aeva.')) continue;
    for (const { key: name, value } of attributes) {
      if (name !== 'msg_index')
        said[`${type.slice('aeva.'.length).replace('.v1', '')}.${name}`] = JSON.parse(value);
    }
  }
  return { exitCode, ...answer, said };
}

async function done(line: string, from: string): Promise<Answer['said']> {
  const answer = await tx(line, from);
  expect({ line, code: answer.code, log: answer.log, exitCode: answer.exitCode }).toEqual({
    line,
    code: 0,
    log: '',
    exitCode: 0,
  });
  expect(answer.height).toBeGreaterThan(0);
  return answer.said;
}

it('every module, by its operations', { timeout: 120_000 }, async () => {
  await key('faucet', '--algorithm', 'eth_secp256k1', '--seed', 'strata/devnet/service/faucet');
  await key('bridge', '--seed', 'strata/devnet/service/bridge-authority');
  await key('relayer', '--seed', 'strata/devnet/service/relayer');
  const alice = await key('alice');
  const bob = await key('bob', '--algorithm', 'eth_secp256k1');
  const coins = '1000000uusd,1000000000000000000aaeva';
  await done(`bank send ${alice} ${coins} --also bank send ${bob} ${coins}`, 'faucet');

  const launched = await done(
    `asset create-asset ECONOMIC,INCOME,VOTE,REDEMPTION uusd ${'ab'.repeat(32)} --bridgeable true --liens-allowed true` +
      ` --also rights issue @asset 0 ${alice} 1000 --also rights issue @asset 1 ${alice} 1000` +
      ` --also rights issue @asset 2 ${alice} 1000 --also rights issue @asset 3 ${alice} 1000` +
      ' --also asset lock-issuance @asset',
    'alice',
  );
  const asset = String(launched['asset.EventAssetCreated.asset_id']);
  expect(launched['rights.EventIssued.asset_id']).toBe(asset);
  expect(launched['asset.EventIssuanceLocked.asset_id']).toBe(asset);

  // refused by the simulation, and by a block when the gas is given
  const refused = await tx(`rights issue ${asset} 0 ${bob} 1`, 'alice');
  expect(refused).toMatchObject({ exitCode: 1, height: null, log: expect.stringContaining('issuance') });
  const failed = await tx(`rights issue ${asset} 0 ${bob} 1 --gas 200000`, 'alice');
  expect(failed).toMatchObject({
    exitCode: 1,
    codespace: 'rights',
    log: expect.stringContaining('issuance'),
  });
  expect(failed.height).toBeGreaterThan(0);

  await done(`rights transfer ${asset} 1 ${bob} 250`, 'alice');
  await done(`rights redeem ${asset} 3 1`, 'alice');
  await done(`asset set-roles ${asset} ${bob}: --also asset update-kind ${asset} 2 true 10 false`, 'alice');
  await done(`asset update-asset ${asset} true aaeva`, 'alice');
  expect(await done(`payout distribute ${asset} 1 1000uusd`, 'alice')).toMatchObject({
    'payout.EventDistributed.new_index': '1000000000000000000',
  });
  expect(await done(`payout claim ${asset} 1 uusd`, 'bob')).toMatchObject({
    'payout.EventClaimed.amount': '250',
  });

  const proposed = await done(
    `settlement propose ${bob} +1h --give ${asset}/0/10 --give 5uusd --take 7uusd --memo-hash ${'ff'.repeat(32)}`,
    'alice',
  );
  await done(`settlement accept ${proposed['settlement.EventProposed.id']}`, 'bob');
  const second = await done(`settlement propose ${bob} +1h --give ${asset}/0/10`, 'alice');
  await done(`settlement cancel ${second['settlement.EventProposed.id']}`, 'bob');

  const pledge = `encumbrance create pledge ${asset} 1`;
  const pledged = await done(
    `${pledge} ${alice} 100 --beneficiary ${bob} --income-to-beneficiary true --exercisable true --expiry +1h`,
    'alice',
  );
  const id = pledged['encumbrance.EventCreated.id'];
  expect(await done(`encumbrance release ${id} 40`, 'bob')).toMatchObject({
    'encumbrance.EventReleased.remaining_units': '60',
  });
  await done(`encumbrance exercise ${id}`, 'bob');

  await done(`attestation attest ${bob} kyc +1h --evidence-hash ${'00'.repeat(32)}`, 'alice');
  await done(`asset set-policy ${asset} ATTESTED:kyc:${alice} --kind-id 2`, 'alice');
  await done(`rights transfer ${asset} 2 ${bob} 5`, 'alice');
  await done(`attestation revoke ${bob} kyc`, 'alice');
  expect(await tx(`rights transfer ${asset} 2 ${bob} 5`, 'alice')).toMatchObject({ exitCode: 1 });
  await done(`asset set-policy ${asset} --kind-id 2`, 'alice');

  const lent = await done(
    `delegation delegate ${asset} 2 5 ${alice} +1h vote,income --revocable true`,
    'bob',
  );
  await done(`delegation return ${lent['delegation.EventDelegated.id']}`, 'alice');
  const again = await done(`delegation delegate ${asset} 2 5 ${alice} +1h vote --revocable true`, 'bob');
  await done(`delegation revoke ${again['delegation.EventDelegated.id']}`, 'bob');

  const remote = `0x${'22'.repeat(32)}`;
  const limits = '--outbound-limit 100 --inbound-limit 100 --window-seconds 3600';
  await done(
    `bridge create-route r1 right-out --remote-domain 7 --remote-contract ${remote} --asset-id ${asset} --kind-id 0 ${limits}`,
    'bridge',
  );
  await done(`bridge transfer-out r1 ${remote} 60`, 'alice');
  expect(await tx(`bridge transfer-out r1 ${remote} 60 --gas 300000`, 'alice')).toMatchObject({
    codespace: 'bridge',
    code: 5,
  });
  await done(`bridge receive-in r1 ${remote} ${bob} 20 0x${'33'.repeat(32)}`, 'relayer');
  await done('bridge set-limits r1 500 500 60', 'bridge');
  await done('bridge set-route-status r1 paused', 'bridge');
  expect(await tx(`bridge transfer-out r1 ${remote} 1 --gas 300000`, 'alice')).toMatchObject({
    codespace: 'bridge',
    code: 4,
  });

  await done(`waterfall set-waterfall ${asset} 1:0:50,2:1`, 'alice');
  await done(`waterfall begin-liquidation ${asset}`, 'bob');
  await done(`waterfall fund ${asset} 100uusd`, 'bob');
  await done(`waterfall redeem-pool ${asset} 0 10`, 'alice');
  await done(`waterfall close-liquidation ${asset}`, 'alice');
});

describe('a tx whose answer is lost', () => {
  let relay: LossyRelay;
  let payer: string;
  const has = (address: string) => balance(devnet.app.state, address, 'uusd');
  const broadcasts = (_: string, body: string) => body.includes('broadcast_tx_sync');
  const pay = (to: string, node: string, ...more: string[]) =>
    run('tx', 'bank', 'send', to, '7uusd', '--from', 'payer', '--node', node, ...more);

  beforeAll(async () => {
    relay = await startLossyRelay(rpc.url);
    await key('faucet-2', '--algorithm', 'eth_secp256k1', '--seed', 'strata/devnet/service/faucet');
    payer = await key('payer');
    await done(`bank send ${payer} 1000uusd,1000000000000000000aaeva`, 'faucet-2');
  });
  afterAll(() => relay.close());

  it('is followed by its hash, and pays once', async () => {
    const to = await key('once');
    relay.loses = broadcasts;
    const { exitCode, stdout, stderr } = await pay(to, relay.url);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^hash {6}[0-9A-F]{64}\nheight {4}\d+\ncode {6}0\n/);
    expect(relay.lost.length).toBeGreaterThan(0);
    expect(new Set(relay.lost.map((body) => JSON.parse(body).params.tx)).size).toBe(1);
    expect(has(to)).toBe(7n);
  });

  it('stays undecided while the node is away: nothing else is signed, and it is found later', async () => {
    const to = await key('later');
    relay.loses = (path, body) => {
      relay.isDown = broadcasts(path, body);
      return relay.isDown;
    };
    const lost = await pay(to, relay.url, '--wait', '1');
    expect(lost.exitCode).toBe(1);
    const [, hash = ''] = /^hash {6}([0-9A-F]{64})\n$/.exec(lost.stdout) ?? [];
    expect(lost.stderr).toMatch(/^strata: tx_undecided: no block is known to hold [0-9A-F]{64} /);
    expect(lost.stderr).toContain(`strata tx follow ${hash}`);
    // somebody tries again, also past the relay
    for (const node of [relay.url, rpc.url]) {
      const again = await pay(to, node);
      expect(again).toMatchObject({ exitCode: 1, stdout: '' });
      expect(again.stderr).toContain(`tx_undecided: the tx ${hash} of ${payer}`);
    }
    const followed = await run('tx', 'follow', hash, '--node', rpc.url);
    expect(followed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(followed.stdout).toMatch(new RegExp(`^hash {6}${hash}\\nheight {4}\\d+\\ncode {6}0\\n`));
    expect(has(to)).toBe(7n);
    expect(existsSync(join(folder.path, 'data/devnet/pending', `${payer}.json`))).toBe(false);
    relay.isDown = false;
    expect(await pay(to, rpc.url)).toMatchObject({ exitCode: 0 });
    expect(has(to)).toBe(14n);
    // also without its file
    expect((await run('tx', 'follow', hash, '--node', rpc.url)).stdout).toContain('code      0');
  });

  it('is sent by whoever follows it where the node never had it, in the same bytes', async () => {
    const to = await key('resent');
    relay.loses = () => false;
    relay.swallows = broadcasts;
    const sent = await pay(to, relay.url, '--wait', '0');
    const [hash = ''] = /[0-9A-F]{64}/.exec(sent.stdout) ?? [];
    expect(sent.stderr).toContain('tx_undecided');
    expect(has(to)).toBe(0n);
    const followed = await run('tx', 'follow', hash, '--node', rpc.url, '--json');
    expect({ ...JSON.parse(followed.stdout), events: [] }).toMatchObject({ hash, code: 0 });
    expect(followed.stderr).toBe(`sends ${hash}\n`);
    expect(has(to)).toBe(7n);
  });

  describe('or is a lie of a relay', () => {
    const headers = { 'content-type': 'application/json' };
    const post = async (body: string): Promise<string> => {
      const sent = await (await fetch(rpc.url, { method: 'POST', body, headers })).text();
      expect(JSON.parse(sent).result).toMatchObject({ code: 0 });
      return sent;
    };
    const answered = (result: object) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        result: { hash: '', codespace: '', code: 0, log: '', ...result },
      });
    const refused = answered({ codespace: 'sdk', code: 5, log: 'insufficient funds' });
    const hashIn = (text: string) => /[0-9A-F]{64}/.exec(text)?.[0] ?? '';
    const nextBlock = (from: number) => expect.poll(() => devnet.chain.latestHeight()).toBeGreaterThan(from);
    const pendingFiles = () => readdirSync(join(folder.path, 'data/devnet/pending'));
    beforeAll(() => {
      relay.swallows = () => false;
    });
    afterAll(() => {
      relay.lies = () => undefined;
    });

    it('that refuses what a block takes: the same payment is not sent again', async () => {
      const to = await key('forwarded');
      const height = devnet.chain.latestHeight();
      relay.lies = (path, body) => (broadcasts(path, body) ? post(body).then(() => refused) : undefined);
      const first = await pay(to, relay.url);
      expect(first).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('insufficient funds') });
      await nextBlock(height);
      const hash = hashIn(first.stdout);
      for (const node of [relay.url, rpc.url]) {
        const again = await pay(to, node);
        expect(again).toMatchObject({ exitCode: 1, stdout: '' });
        expect(again.stderr).toMatch(
          `tx_undecided: nothing was sent: the tx ${hash} of ${payer} was refused`,
        );
      }
      expect(await run('tx', 'follow', hash, '--node', rpc.url)).toMatchObject({ exitCode: 0 });
      expect([has(to), pendingFiles()]).toEqual([7n, []]);
      expect(await pay(to, rpc.url)).toMatchObject({ exitCode: 0 });
      expect(has(to)).toBe(14n);
    });

    it('that keeps it back and sends it in place of the next one: a block takes one of them', async () => {
      const to = await key('kept-back');
      const kept: string[] = [];
      relay.lies = (path, body) => {
        if (!broadcasts(path, body)) return undefined;
        kept.push(body);
        if (kept.length === 1) return Promise.resolve(refused);
        // the first one in place of the second
        return post(kept[0] ?? '').then(() => answered({}));
      };
      const first = await pay(to, relay.url);
      // as of the same block it would be the same bytes
      const second = await pay(to, relay.url, '--memo', 'again');
      expect(second).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('tx_not_included') });
      expect(second.stderr).toContain(`strata tx follow ${hashIn(first.stdout)}`);
      expect((await pay(to, rpc.url)).stderr).toContain('tx_undecided: nothing was sent');
      expect(await run('tx', 'follow', hashIn(first.stdout), '--node', rpc.url)).toMatchObject({
        exitCode: 0,
      });
      await expect(post(kept[1] ?? '')).rejects.toThrow('code: 32');
      expect([has(to), pendingFiles()]).toEqual([7n, []]);
    });

    it('that says its time is past: it is followed', async () => {
      const to = await key('past');
      relay.lies = (path, body) => {
        if (!broadcasts(path, body)) return undefined;
        return post(body).then(() => answered({ codespace: 'sdk', code: 30, log: 'timeout height' }));
      };
      expect(await pay(to, relay.url)).toMatchObject({ exitCode: 0, stderr: '' });
      expect(has(to)).toBe(7n);
    });

    it('that has no signed bytes of a simulation to send on', async () => {
      const simulated: string[] = [];
      relay.lies = (_, body) => {
        if (body.includes('Service/Simulate')) simulated.push(body);
        return undefined;
      };
      expect(await pay(await key('simulated'), relay.url)).toMatchObject({ exitCode: 0 });
      const [data = ''] = simulated.map((body) => JSON.parse(body).params.data);
      const { codec } = devnet.app;
      const request = codec.decode('/cosmos.tx.v1beta1.SimulateRequest', Buffer.from(data, 'hex'));
      const { signatures } = codec.decode(
        '/cosmos.tx.v1beta1.TxRaw',
        Buffer.from(String(request.tx_bytes), 'base64'),
      );
      expect(signatures).toEqual([Buffer.alloc(64).toString('base64')]);
    });
  });

  it('is told as not included only behind its timeout height, and may then be signed again', async () => {
    const to = await key('expired');
    const timeout = devnet.chain.latestHeight() + 20;
    let swallowed = 0;
    relay.swallows = (path, body) => {
      if (!broadcasts(path, body)) return false;
      swallowed += 1;
      return true;
    };
    const sending = pay(to, relay.url, '--timeout-height', String(timeout));
    await expect.poll(() => swallowed).toBeGreaterThan(0);
    while (devnet.chain.latestHeight() <= timeout) await devnet.produceBlock();
    const sent = await sending;
    expect(sent.exitCode).toBe(1);
    expect(sent.stderr).toMatch(
      /tx_not_included: no block holds [0-9A-F]{64}, and none will: block \d+ is past/,
    );
    expect(devnet.chain.latestHeight()).toBeGreaterThan(timeout);
    relay.swallows = () => false;
    expect(await pay(to, relay.url)).toMatchObject({ exitCode: 0 });
    expect(has(to)).toBe(7n);
  });
});
