import { bech32 } from '@scure/base';
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { computeAddress, getAddress, getBytes, recoverAddress, Transaction } from 'ethers';
import { describe, expect, it } from 'vitest';
import { ALICE, BOB, CAROL, DAVE, ROUTER, TOKEN } from './blocks/actors.ts';
import { sign, vmMessage } from './blocks/ethereum.ts';
import { base64, type Printable, printJson } from './blocks/layout.ts';
import { BLOCK_CASES, captureLine, chainBlocks, syntheticChain } from './blocks.ts';
import { oracleTxs, recordedBlockLines, recordedBlocks } from './oracle.ts';

describe('the printer', () => {
  it('prints every recorded block as the node did', () => {
    for (const line of recordedBlockLines()) {
      // What the node prints as \ufffd was a byte that is no UTF-8.
      const value = JSON.parse(Buffer.from(line).toString('utf8'), (_key, member: Printable) =>
        typeof member === 'string' && member.includes('\ufffd') ? broken(member) : member,
      ) as Printable;
      expect(printJson(value) === Buffer.from(line).toString('latin1')).toBe(true);
    }
  });

  function broken(text: string): Uint8Array {
    return Buffer.from(
      Buffer.from(text).toString('latin1').replaceAll('\u00ef\u00bf\u00bd', '\u00ff'),
      'latin1',
    );
  }
});

describe('the encoders', () => {
  it('make the bytes of recorded Ethereum messages', () => {
    const ethereum = oracleTxs().filter((line) =>
      line.rest.tx.body.messages[0]?.['@type'].endsWith('EthereumTx'),
    );
    for (const { height, index, rest } of ethereum.slice(0, 200)) {
      const message = rest.tx.body.messages[0] as unknown as { from: string; raw: string };
      const from = `0x${Buffer.from(message.from, 'base64').toString('hex')}`;
      const txBytes = recordedBlocks()[height - 1]?.block.block.data.txs[index] ?? '';
      const body = TxBody.decode(TxRaw.decode(Buffer.from(txBytes, 'base64')).bodyBytes);
      const own = vmMessage(Transaction.from(message.raw), from);
      expect(own.typeUrl).toBe(body.messages[0]?.typeUrl);
      expect(base64(own.value)).toBe(base64(body.messages[0]?.value ?? new Uint8Array()));
    }
  });

  it('sign as the actor whose addresses stand beside the key', () => {
    for (const actor of [ALICE, BOB, CAROL, DAVE]) {
      expect(computeAddress(actor.key.publicKey)).toBe(actor.hex);
      const tx = sign(actor, { type: 0, to: TOKEN.hex, gasPrice: 1n });
      expect(recoverAddress(tx.unsignedHash, tx.signature ?? '')).toBe(actor.hex);
    }
    for (const { hex, bech32: text } of [ALICE, BOB, CAROL, DAVE, TOKEN, ROUTER]) {
      expect(getAddress(hex)).toBe(hex);
      expect(bech32.encode('cosmos', bech32.toWords(getBytes(hex)))).toBe(text);
    }
  });
});

describe('the chain of synthetic blocks', () => {
  it('is linked by parent hashes, one height after the other', () => {
    const blocks = syntheticChain();
    expect(blocks.map((block) => block.height)).toEqual(BLOCK_CASES.map((_, position) => position + 1));
    for (const [position, { block, expected }] of blocks.entries()) {
      const { block_id, block: inner } = JSON.parse(block);
      expect(block_id.hash).toBe(expected.hash);
      expect(inner.header.last_block_id.hash).toBe(blocks[position - 1]?.expected.hash ?? '');
    }
    expect(chainBlocks(BLOCK_CASES.slice(0, 1), 502, 'AB')[0]).toMatchObject({
      height: 502,
      expected: { parentHash: 'AB' },
    });
  });

  it.each(syntheticChain())('$name: what is expected fits what the JSON holds', (synthetic) => {
    const line = JSON.parse(Buffer.from(captureLine(synthetic)).toString('utf8'));
    const { expected } = synthetic;
    expect(line.height).toBe(synthetic.height);
    expect(line.block.block.data.txs.length).toBe(expected.txs.length);
    expect(line.block_results.txs_results?.length ?? 0).toBe(expected.txs.length);
    const { finalize_block_events, begin_block_events, end_block_events } = line.block_results;
    const events = [finalize_block_events, begin_block_events, end_block_events].flatMap(
      (list) => list ?? [],
    );
    expect(events.map((event) => event.type)).toEqual(expected.events.map((event) => event.type));
    for (const [index, tx] of expected.txs.entries()) {
      const result = line.block_results.txs_results[index];
      expect([result.code, result.codespace]).toEqual([tx.code, tx.codespace]);
      expect(result.events.map((event: { type: string }) => event.type)).toEqual(
        tx.events.map((event) => event.type),
      );
      expect(tx.method).toBe((tx.msgs[0] as { '@type': string } | undefined)?.['@type'] ?? '');
    }
  });

  it('is the same at each call, so that digests can be compared', () => {
    expect(syntheticChain()).toEqual(syntheticChain());
  });
});
