import { AbiCoder, computeAddress, dataSlice, hexlify, keccak256 } from 'ethers';
import { describe, expect, it } from 'vitest';
import { expectations, labelledAccounts, type OracleTx, oracleEvm, oracleTxs } from '../support/oracle.ts';
import { participants, referenceAccounts, signers } from './accounts.ts';
import { accountOf, moduleAccounts } from './addresses.ts';
import { referenceCounts } from './counts.ts';
import { lastPageStart, referenceDays, referenceMatches, referenceMethods, referencePage } from './pages.ts';
import { referenceBlocks, referenceTx, referenceTxs } from './txs.ts';

const labelled = (label: string): string => {
  const account = labelledAccounts().find((one) => one.label === label);
  if (account === undefined) throw new Error(`no account ${label}`);
  return account.bech32;
};
const placesOf = (account: string): string[] =>
  (referenceAccounts().get(account) ?? []).map(({ height, txIndex }) => `${height}/${txIndex}`);
const lineOf = (height: number, index: number): OracleTx => {
  const line = oracleTxs().find((one) => one.height === height && one.index === index);
  if (line === undefined) throw new Error(`no line ${height}/${index}`);
  return line;
};

describe('the reference against what the workload knows of itself', () => {
  it('counts what expect.json counted', () => {
    const { blocks, txs, evm_txs, events, zero_tx_blocks, max_txs_in_a_block } = expectations();
    const { result_codes, message_counts, event_types } = expectations();
    expect(referenceCounts()).toEqual({
      ...{ blocks, txs, evm_txs, events, zero_tx_blocks, max_txs_in_a_block },
      ...{ result_codes, message_counts, event_types },
    });
  });

  it('has every tx of the journal with its place, code and EVM outcome', () => {
    const seen = expectations().journal.map(({ hash, height, index, code, eth_hash, status }) => ({
      ...{ hash, height, txIndex: index, code, ethHash: eth_hash ?? null },
      status: eth_hash === undefined ? null : (status ?? 0),
    }));
    const own = referenceTxs().map((tx) => ({
      ...{ hash: tx.hash, height: tx.height, txIndex: tx.txIndex, code: tx.code },
      ...{ ethHash: tx.evm?.eth_hash ?? null, status: tx.evm?.status ?? null },
    }));
    const byPlace = (a: (typeof own)[number], b: (typeof own)[number]) =>
      a.height - b.height || a.txIndex - b.txIndex;
    expect(own).toEqual(seen.sort(byPlace));
  });

  // `why` is the workload's prose, not the node's text: where the two share words they must agree.
  it('fails what had to fail', () => {
    const sameWords = expectations().must_fail.filter(({ height, index, code, why }) => {
      const tx = referenceTx(height, index);
      expect(tx.code).toBe(code);
      expect(tx.rawLog).not.toBe('');
      return tx.rawLog.includes(why);
    });
    expect(sameWords.length).toBeGreaterThan(90);
  });

  it('reverts what had to revert, with the reason that the return bytes hold', () => {
    const reverts = expectations().must_revert;
    for (const { height, index, expected } of reverts) {
      const { evm, code } = referenceTx(height, index);
      expect([code, evm?.status]).toEqual([0, 0]);
      if (expected.kind === 'Error(string)') expect(evm?.revert_reason).toBe(expected.reason);
      if (expected.kind === 'vm') expect(evm?.revert_reason).toContain(expected.reason);
    }
    const failed = referenceTxs().filter((tx) => tx.code === 0 && tx.evm?.status === 0);
    expect(failed.length).toBe(reverts.length);
  });

  it('reads the same reasons from the return bytes as the recording decoded', () => {
    const ERROR_STRING = '0x08c379a0';
    const executed = oracleEvm().filter((line) => line.receipt?.status === '0x0');
    expect(executed.length).toBe(76);
    for (const { height, index, revert } of executed) {
      const ret = revert?.ret ?? '0x';
      const reason = ret.startsWith(ERROR_STRING)
        ? AbiCoder.defaultAbiCoder().decode(['string'], dataSlice(ret, 4))[0]
        : revert?.vm_error;
      expect(referenceTx(height, index).evm?.revert_reason).toBe(reason);
    }
  });

  it('knows the contracts that were created, and none for a creation that reverted', () => {
    const created = referenceTxs().filter((tx) => tx.contract !== null);
    expect(created.map((tx) => [tx.evm?.eth_hash, tx.contract])).toEqual(
      expectations().created_contracts.map(({ eth_hash, address }) => [eth_hash, address]),
    );
    expect(referenceTx(33, 3)).toMatchObject({ contract: null, evm: { to: null, status: 0 } });
  });
});

describe('one tx', () => {
  it('that failed in the ante shows the signed message and the tx result', () => {
    expect(referenceTx(65, 1)).toMatchObject({
      code: 5,
      codespace: 'sdk',
      gasWanted: -1,
      gasUsed: 0,
      events: [],
      evm: {
        eth_hash: '0x8d697f90c79fb2ac09cf204f8f6076b3661b583eab6562aad6feebc71db5b30d',
        value: { denom: 'atest', amount: '1' },
        gas_used: 0,
        status: 0,
        revert_reason: expect.stringMatching(/^failed to check sender balance: .* insufficient funds$/),
      },
    });
    for (const { height, index, eth_hash } of expectations().evm_failed_in_ante) {
      const raw = referenceTx(height, index).msgs[0]?.raw;
      expect(keccak256(typeof raw === 'string' ? raw : '0x')).toBe(eth_hash);
    }
  });

  it('whose hash stands in two blocks has the result of each', () => {
    const [first, second] = [referenceTx(61, 1), referenceTx(63, 0)];
    expect(first.hash).toBe(second.hash);
    expect(first.msgs).toEqual(second.msgs);
    expect(first).toMatchObject({ code: 5, codespace: 'sdk', events: [] });
    expect(second).toMatchObject({ code: 0, codespace: '', rawLog: '' });
    expect(second.events.length).toBeGreaterThan(0);
  });

  it('has block times in nanoseconds that agree with the REST seconds', () => {
    for (const { height, index, rest } of oracleTxs()) {
      if (Number(rest.tx_response.height) !== height) continue;
      const { blockTime } = referenceTx(height, index);
      expect(`${blockTime.slice(0, 19)}Z`).toBe(rest.tx_response.timestamp);
    }
  });

  it('numbers its events and tells those of a message from those of the ante', () => {
    const { events } = referenceTx(32, 0);
    expect(events.map((event) => event.event_index)).toEqual(events.map((_, position) => position));
    expect(events[0]).toMatchObject({ type: 'coin_spent', msg_index: null, decoded: null });
    expect(events.at(-1)).toMatchObject({ type: 'message', msg_index: 0 });
  });

  it('decodes typed events', () => {
    const typed = referenceTxs().flatMap((tx) => tx.events.filter((event) => event.decoded !== null));
    expect(typed.map((event) => event.type).sort()).toEqual([
      'cosmos.authz.v1beta1.EventGrant',
      'cosmos.authz.v1beta1.EventGrant',
      'cosmos.authz.v1beta1.EventGrant',
      'cosmos.authz.v1beta1.EventRevoke',
    ]);
    const revoke = typed.find((event) => event.type.endsWith('EventRevoke'));
    expect(revoke?.decoded).toEqual({
      msg_type_url: '/cosmos.staking.v1beta1.MsgDelegate',
      granter: labelled('c2'),
      grantee: expect.stringMatching(/^cosmos1/),
    });
  });
});

describe('accounts', () => {
  it('are the accounts of the keys that signed', () => {
    for (const line of oracleTxs()) {
      const keys = line.rest.tx.auth_info.signer_infos.map(({ public_key }) =>
        accountOf(computeAddress(hexlify(Buffer.from(public_key.key, 'base64')))),
      );
      if (keys.length > 0) expect([...new Set(signers(line))]).toEqual(keys);
    }
  });

  it('have each journal entry on the page of its sender', () => {
    for (const { from, height, index } of expectations().journal) {
      expect(participants(referenceTx(height, index), lineOf(height, index))).toContain(labelled(from));
    }
  });

  it('have a value transfer on the pages of both sides', () => {
    const transfer = referenceTxs().find(
      (tx) => tx.evm?.status === 1 && tx.evm.value.amount !== '0' && tx.evm.to,
    );
    if (transfer?.evm?.to === undefined || transfer.evm.to === null) throw new Error('no transfer');
    const place = `${transfer.height}/${transfer.txIndex}`;
    expect(placesOf(accountOf(transfer.evm.from))).toContain(place);
    expect(placesOf(accountOf(transfer.evm.to))).toContain(place);
  });

  it('leave modules out of bank movements and the zero address out of everything', () => {
    const modules = moduleAccounts();
    expect(modules.size).toBe(11);
    const feeCollector = 'cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta';
    expect(modules).toContain(feeCollector);
    expect(referenceAccounts().has(feeCollector)).toBe(false);
    expect(referenceAccounts().has(accountOf(`0x${'0'.repeat(40)}`))).toBe(false);
  });

  it('have one row a tx, in chain order', () => {
    for (const rows of referenceAccounts().values()) {
      const places = rows.map(({ height, txIndex }) => height * 1000 + txIndex);
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
    }
  });

  it('write a validator operator as its account', () => {
    const [unjail] = referenceTxs().filter((tx) => tx.method === '/cosmos.slashing.v1beta1.MsgUnjail');
    if (unjail === undefined) throw new Error('no unjail');
    expect(placesOf(labelled('c6'))).toContain(`${unjail.height}/${unjail.txIndex}`);
  });

  it('take part as fee granter and as an authz granter whose coins moved, not as a named bystander', () => {
    // 58/0 spends c2's coins by an authz grant; 58/4 names c2 too, but fails and moves nothing of c2's.
    expect(placesOf(labelled('c2'))).toContain('58/0');
    expect(placesOf(labelled('c2'))).not.toContain('58/4');
    const granted = oracleTxs().filter((line) => line.rest.tx.auth_info.fee.granter !== '');
    expect(granted.length).toBe(3);
    for (const { height, index, rest } of granted) {
      expect(placesOf(rest.tx.auth_info.fee.granter)).toContain(`${height}/${index}`);
    }
  });
});

describe('pages, totals and facets', () => {
  it('cover the chain once, newest first', () => {
    const walked = [];
    for (let from = 0; ; from += 100) {
      const page = referencePage({}, 100, from);
      walked.push(...page.txs);
      if (!page.hasOlder) break;
    }
    expect(walked).toEqual(referenceTxs().toReversed());
    expect(lastPageStart(2707, 100)).toBe(2700);
    expect(lastPageStart(200, 100)).toBe(100);
    expect(lastPageStart(0, 100)).toBe(0);
  });

  it('count the first messages', () => {
    const methods = referenceMethods();
    expect(methods[0]).toEqual({ method: '/cosmos.evm.vm.v1.MsgEthereumTx', count: 1500 });
    expect(methods.reduce((sum, { count }) => sum + count, 0)).toBe(2707);
    for (const { method, count } of methods) expect(referenceMatches({ method }).length).toBe(count);
  });

  it('keep an account to its own txs', () => {
    const account = labelled('c1');
    const page = referencePage({ account }, 10);
    expect(page.total).toBe(referenceAccounts().get(account)?.length);
    expect(page.methods.reduce((sum, { count }) => sum + count, 0)).toBe(page.total);
    expect(referencePage({ account: accountOf(`0x${'1'.repeat(40)}`) }, 10)).toMatchObject({
      txs: [],
      total: 0,
    });
  });

  it('put the whole recording into one UTC day', () => {
    expect(referenceDays()).toEqual([{ day: '2026-11-20', count: 2707 }]);
  });
});

it('blocks count their own events and those of their txs', () => {
  const blocks = referenceBlocks();
  expect(blocks.filter((block) => block.tx_count === 0).map((block) => block.height)).toEqual(
    expectations().zero_tx_heights,
  );
  expect(blocks.reduce((sum, block) => sum + block.event_count, 0)).toBe(expectations().events);
  expect(blocks[0]?.events[0]).toMatchObject({ event_index: 0, type: 'coin_received', mode: 'BeginBlock' });
});
