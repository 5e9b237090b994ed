import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bech32Of, isSignatureOf, keyFromSeed } from 'strata-kit/client/keys';
import { signDocBytes } from 'strata-kit/client/sign-direct';
import { openCodec } from 'strata-kit/codec/codec';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  FAKE_CHAIN,
  type FakeAnswers,
  type FakeNode,
  fakeNode,
} from '../../devnet/test/support/fake-node.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCli } from './console.ts';

const codec = openCodec({ namespace: 'aeva' });
const key = keyFromSeed('secp256k1', 'seed', 3);
const address = bech32Of('aeva', key);
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const nodes: FakeNode[] = [];

const run = (...argv: string[]) => runCli(argv, { io: { cwd: folder.path } });

beforeAll(async () => {
  folder = await temporaryFolder();
  for (const home of ['data/devnet', 'waiting']) {
    await run('keys', 'add', 'alice', '--seed', 'seed', '--index', '3', '--home', home);
  }
});
afterAll(() => folder.remove());
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

function accountWith(sequence: string) {
  return {
    account: { '@type': '/cosmos.auth.v1beta1.BaseAccount', address, account_number: '11', sequence },
  };
}

async function node(answers: FakeAnswers = {}): Promise<FakeNode> {
  const queries = {
    '/cosmos.auth.v1beta1.Query/Account': accountWith('22'),
    '/cosmos.tx.v1beta1.Service/Simulate': { gas_info: { gas_used: '100' } },
    '/cosmos.base.node.v1beta1.Service/Config': { minimum_gas_price: '2aaeva' },
    '/aeva.asset.v1.Query/NextNonce': { next_nonce: '4' },
    ...answers.queries,
  };
  const fake = await fakeNode(codec, { ...answers, queries });
  nodes.push(fake);
  return fake;
}

describe('strata keys', () => {
  it('makes, shows, lists, exports and imports keys below the home', async () => {
    const home = ['--home', 'other'];
    const made = await run('keys', 'add', 'bob', '--algorithm', 'eth_secp256k1', '--seed', 'x', ...home);
    const bob = keyFromSeed('eth_secp256k1', 'x');
    const line = `bob  ${bech32Of('aeva', bob)}`;
    expect(made.exitCode).toBe(0);
    expect(made.stdout).toContain(line);
    expect(statSync(join(folder.path, 'other', 'keys', 'bob.json')).mode & 0o777).toBe(0o600);
    const { stdout: exported } = await run('keys', 'export', 'bob', ...home);
    writeFileSync(join(folder.path, 'bob.txt'), exported);
    await run('keys', 'import', 'bob-2', 'bob.txt', ...home);
    writeFileSync(join(folder.path, 'hex.txt'), `0x${Buffer.from(bob.privateKey).toString('hex')}\n`);
    await run('keys', 'import', 'bob-3', 'hex.txt', ...home);
    const { stdout } = await run('keys', 'list', '--json', '--hrp', 'zeta', ...home);
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'bob', algorithm: 'eth_secp256k1', address: bech32Of('zeta', bob) },
      { name: 'bob-2', algorithm: 'eth_secp256k1', address: bech32Of('zeta', bob) },
      { name: 'bob-3', algorithm: 'secp256k1' },
    ]);
    expect(stdout).not.toContain(Buffer.from(bob.privateKey).toString('hex'));
    expect((await run('keys', 'show', 'bob', ...home)).stdout).toContain(line);
  });

  it.each([
    [['keys'], 'needs one of add, list, show, import, export'],
    [['keys', 'add'], "missing required argument 'name'"],
    [['keys', 'add', 'alice'], "there is a key 'alice' already"],
    [['keys', 'add', 'b', '--algorithm', 'ed25519'], "--algorithm is 'ed25519'"],
    [['keys', 'add', 'b', '--index', '1'], '--index is nothing without --seed'],
    [['keys', 'show', 'carol'], "there is no key 'carol'"],
    [['keys', 'import', 'b', 'none.json'], 'cannot be read: ENOENT'],
    [['keys', 'remove', 'alice'], 'too many arguments'],
  ])('%j is refused with exit code 2', async (argv, reason) => {
    const { exitCode, stdout, stderr } = await run(...argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr.trim().split('\n').length).toBe(1);
  });
});

describe('strata tx', () => {
  const send = ['tx', 'bank', 'send', 'aeva1bob', '5uusd', '--from', 'alice'];

  it('signs and sends, and tells hash, height, gas and events', async () => {
    const events = [
      {
        type: 'aeva.rights.v1.EventIssued',
        attributes: [
          { key: 'kind_id', value: '0' },
          { key: 'units', value: '"5"' },
          { key: 'msg_index', value: '0' },
        ],
      },
      { type: 'tx', attributes: [{ key: 'fee', value: '\u0007"' }] },
    ];
    const fake = await node({ looksBefore: 1, result: { events } });
    const { exitCode, stdout, stderr } = await run(...send, '--node', fake.url, '--memo', 'm');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const raw = codec.decode('/cosmos.tx.v1beta1.TxRaw', fake.txs[0] ?? new Uint8Array());
    const document = {
      bodyBytes: Buffer.from(String(raw.body_bytes), 'base64'),
      authInfoBytes: Buffer.from(String(raw.auth_info_bytes), 'base64'),
    };
    expect(codec.decode('/cosmos.tx.v1beta1.TxBody', document.bodyBytes)).toMatchObject({
      messages: [
        {
          '@type': '/cosmos.bank.v1beta1.MsgSend',
          from_address: address,
          to_address: 'aeva1bob',
          amount: [{ denom: 'uusd', amount: '5' }],
        },
      ],
      memo: 'm',
    });
    expect(codec.decode('/cosmos.tx.v1beta1.AuthInfo', document.authInfoBytes)).toMatchObject({
      signer_infos: [{ sequence: '22' }],
      fee: { amount: [{ denom: 'aaeva', amount: '260' }], gas_limit: '130' },
    });
    const signature = Buffer.from(String((raw.signatures as string[])[0]), 'base64');
    expect(isSignatureOf(key, signDocBytes(document, FAKE_CHAIN, 11n), signature)).toBe(true);
    const [hashLine, ...rest] = stdout.trimEnd().split('\n');
    expect(hashLine).toMatch(/^hash {6}[0-9A-F]{64}$/);
    expect(rest).toEqual([
      'height    8',
      'code      0',
      'gas       99 of 130',
      'event     aeva.rights.v1.EventIssued (message 0)',
      '  kind_id = 0',
      '  units = 5',
      'event     tx',
      '  fee = \\u0007"',
    ]);
  });

  it('prints JSON', async () => {
    const fake = await node();
    const { stdout } = await run(...send, '--node', fake.url, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ height: 8, code: 0, gas_used: '99', events: [] });
  });

  it.each<[what: string, answers: FakeAnswers]>([
    [
      'a block',
      {
        result: { code: 5, codespace: 'bridge', log: 'cap exceeded' },
        // which takes the sequence all the same
        queries: { '/cosmos.auth.v1beta1.Query/Account': (txs) => accountWith(txs > 0 ? '23' : '22') },
      },
    ],
    ['the mempool', { check: { code: 5, codespace: 'bridge', log: 'cap exceeded' } }],
  ])('ends with exit code 1 for a tx that %s refuses', async (_, answers) => {
    const fake = await node(answers);
    const { exitCode, stdout, stderr } = await run(...send, '--node', fake.url);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toMatch(/code {6}5\ncodespace bridge\nlog {7}cap exceeded\n/);
  });

  it('sends nothing that a simulation refuses', async () => {
    const fake = await node({ queries: { '/cosmos.tx.v1beta1.Service/Simulate': 'no such asset' } });
    const { exitCode, stdout } = await run(...send, '--node', fake.url, '--json');
    expect(JSON.parse(stdout)).toEqual({
      hash: null,
      height: null,
      code: 38,
      codespace: 'sdk',
      log: 'no such asset',
    });
    expect([exitCode, fake.txs]).toEqual([1, []]);
  });

  it('does not wait for a block when it is told so', async () => {
    const fake = await node();
    const { exitCode, stdout } = await run(...send, '--node', fake.url, '--wait', '0');
    expect(stdout).toMatch(/^hash {6}[0-9A-F]{64}\ncode {6}0\n$/);
    expect([exitCode, fake.calls.includes('tx')]).toEqual([0, false]);
  });

  it('makes one tx of several operations, with the id of the asset that it creates', async () => {
    const fake = await node();
    const { exitCode, stdout } = await run(
      ...['tx', 'asset', 'create-asset', 'ECONOMIC,INCOME', 'uusd', 'ff'],
      ...['--also', 'rights', 'issue', '@asset', '0', 'aeva1bob', '5'],
      ...['--also', 'asset', 'lock-issuance', '@asset'],
      ...['--also', 'settlement', 'propose', 'aeva1bob', '+90s', '--give', '@asset/1/2', '--take', '7uusd'],
      ...['--from', 'alice', '--node', fake.url, '--dry-run'],
    );
    expect(exitCode).toBe(0);
    expect(fake.txs).toEqual([]);
    const { chain_id, account_number, body } = JSON.parse(stdout);
    expect([chain_id, account_number]).toEqual([FAKE_CHAIN, '11']);
    expect(body.messages.map((message: Record<string, unknown>) => message['@type'])).toEqual([
      '/aeva.asset.v1.MsgCreateAsset',
      '/aeva.rights.v1.MsgIssue',
      '/aeva.asset.v1.MsgLockIssuance',
      '/aeva.settlement.v1.MsgPropose',
    ]);
    const [, issue, lock, propose] = body.messages;
    // SHA-256 of aeva/asset/v1, the key's 20 bytes 27dd99…f14a and the number 4
    expect(issue.asset_id).toBe('692dae6decdbb7a85aa24d41d34cb2fb216d836f19ce8c6307c7257acb43924f');
    expect([lock.asset_id, propose.legs[0].right.asset_id]).toEqual([issue.asset_id, issue.asset_id]);
    // 90 s after the chain's time
    expect(propose.expiry).toBe('2026-11-20T10:01:30.500Z');
  });

  it('sends the messages of a file, in another namespace too', async () => {
    const path = join(folder.path, 'messages.json');
    const message = { '@type': '/zeta.settlement.v1.MsgAccept', counterparty: address, id: '7' };
    writeFileSync(path, JSON.stringify([message, { ...message, id: '8' }]));
    const { exitCode, stdout } = await run(
      ...[
        'tx',
        'raw',
        'messages.json',
        '--from',
        'alice',
        '--namespace',
        'zeta',
        '--dry-run',
        '--chain-id',
        'c',
      ],
      ...['--account-number', '0', '--sequence', '0', '--timeout-height', '7', '--gas', '9'],
      ...['--fees', '1aa,2bb'],
    );
    expect(exitCode).toBe(0);
    const { body, auth_info } = JSON.parse(stdout);
    expect(body.messages).toEqual([message, { ...message, id: '8' }]);
    expect(body.timeout_height).toBe('7');
    expect(auth_info.fee).toEqual({
      amount: [
        { denom: 'aa', amount: '1' },
        { denom: 'bb', amount: '2' },
      ],
      gas_limit: '9',
      payer: '',
      granter: '',
    });
  });

  it.each([
    [['tx'], 'strata tx needs one of asset, rights,'],
    [['tx', 'asset'], 'asset needs one of create-asset,'],
    [['tx', 'asset', 'sell'], 'too many arguments'],
    [['tx', 'settlement', 'accept', '--from', 'alice'], "missing required argument 'id'"],
    [['tx', 'settlement', 'accept', '1'], 'the signer is missing: give --from <key>'],
    [['tx', 'settlement', 'accept', 'x', '--from', 'alice'], "id is 'x', not a whole number"],
    [['tx', 'settlement', 'accept', '1', '--from', 'carol'], "there is no key 'carol'"],
    [['tx', 'settlement', 'accept', '1', '--from', 'alice', '--node', 'ftp://a'], "--node is 'ftp://a'"],
    [['tx', 'settlement', 'accept', '1', '--from', 'alice', '--gas', 'much'], "--gas is 'much'"],
    [['tx', 'settlement', 'accept', '1', '--from', 'alice', '--speed', '1'], "unknown option '--speed'"],
    [
      ['tx', 'settlement', 'accept', '1', '--from', 'a', '--also', 'bank', 'send', 'b', '1u', '--from', 'b'],
      '--from is given twice',
    ],
    [['tx', 'raw', 'none.json', '--from', 'alice'], 'cannot be read as JSON: ENOENT'],
  ])('%j is refused with exit code 2', async (argv, reason) => {
    const { exitCode, stdout, stderr } = await run(...argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr.trim().split('\n').length).toBe(1);
  });

  it('tells a node that does not answer, and a tx that no block takes', async () => {
    const dead = await run(...send, '--node', 'http://127.0.0.1:1');
    expect(dead.exitCode).toBe(1);
    expect(dead.stderr).toMatch(/^strata: node_unreachable: http:\/\/127\.0\.0\.1:1 .*Check --node/);
    const fake = await node({ looksBefore: 1_000_000 });
    const waiting = await run(...send, '--node', fake.url, '--wait', '0.1', '--home', 'waiting');
    expect(waiting.exitCode).toBe(1);
    const [, hash] = /^hash {6}([0-9A-F]{64})\n$/.exec(waiting.stdout) ?? [];
    expect(waiting.stderr).toMatch(
      new RegExp(
        `^strata: tx_undecided: no block is known to hold ${hash}; a block up to 107 may hold it\\. `,
      ),
    );
  });
});

describe('help', () => {
  it('names both commands, and an operation its words', async () => {
    const { stdout } = await run('--help');
    expect(stdout).toMatch(/^ {2}keys .*testnet/m);
    expect(stdout).toMatch(/^ {2}tx .*reference chain/m);
    const issue = await run('tx', 'rights', 'issue', '--help');
    expect(issue.exitCode).toBe(0);
    expect(issue.stdout).toContain('<asset-id> <kind-id> <recipient> <units>');
    expect((await run('tx', '--help')).stdout).toContain('@asset');
    expect((await run('keys', 'add', '--help')).stdout).toContain('eth_secp256k1');
  });
});
