import { Transaction, Wallet } from 'ethers';
import fc from 'fast-check';
import { ChainError } from 'strata-kit/chain-error';
import { describe, expect, it } from 'vitest';
import { createTransactionReader, type EthereumTx } from '../../src/modules/evm/transaction.ts';

const CHAIN_ID = 9_111n;
const read = createTransactionReader(CHAIN_ID);
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;

const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(hex);
const anySize = fc.oneof(fc.constant(0n), fc.bigInt(0n, 300n), fc.bigInt(0n, 2n ** 64n - 1n));
const anyTx = fc
  .record({
    type: fc.constantFrom(0, 1, 2),
    key: fc.integer({ min: 1, max: 250 }),
    nonce: fc.oneof(fc.constant(0), fc.constant(127), fc.constant(128), fc.nat(2 ** 31)),
    to: fc.option(bytesOf(20), { nil: null }),
    value: fc.oneof(anySize, fc.bigInt(0n, 2n ** 256n - 1n)),
    data: fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map(hex),
      fc.uint8Array({ minLength: 250, maxLength: 300 }).map(hex),
    ),
    gasLimit: anySize,
    fees: fc.tuple(anySize, anySize),
    accessList: fc.array(fc.tuple(bytesOf(20), fc.array(bytesOf(32), { maxLength: 3 })), { maxLength: 3 }),
  })
  .map(({ type, key, fees: [a, b], accessList, ...tx }) => {
    const wallet = new Wallet(`0x${key.toString(16).padStart(64, '0')}`);
    const [tip, cap] = a < b ? [a, b] : [b, a];
    const fees = type === 2 ? { maxPriorityFeePerGas: tip, maxFeePerGas: cap } : { gasPrice: a };
    const list =
      type === 0
        ? {}
        : { accessList: accessList.map(([address, storageKeys]) => ({ address, storageKeys })) };
    const made = Transaction.from({ type, chainId: CHAIN_ID, ...tx, ...fees, ...list });
    made.signature = wallet.signingKey.sign(made.unsignedHash);
    return made.serialized;
  });

function bytes(text: string): Uint8Array {
  return Buffer.from(text.slice(2), 'hex');
}

/** The same of both, in one shape. */
function ours(tx: EthereumTx) {
  return {
    type: tx.type,
    hash: tx.hash,
    from: hex(tx.from),
    to: tx.to === undefined ? null : hex(tx.to),
    nonce: tx.nonce,
    value: tx.value,
    data: hex(tx.data),
    gasLimit: tx.gasLimit,
    maxFeePerGas: tx.maxFeePerGas,
    maxPriorityFeePerGas: tx.maxPriorityFeePerGas,
    accessList: tx.accessList.map(({ address, slots }) => [hex(address), slots.map(hex)]),
  };
}

function theirs(tx: Transaction) {
  const price = tx.gasPrice ?? 0n;
  return {
    type: tx.type,
    hash: tx.hash,
    from: tx.from?.toLowerCase(),
    to: tx.to?.toLowerCase() ?? null,
    nonce: BigInt(tx.nonce),
    value: tx.value,
    data: tx.data,
    gasLimit: tx.gasLimit,
    maxFeePerGas: tx.type === 2 ? tx.maxFeePerGas : price,
    maxPriorityFeePerGas: tx.type === 2 ? tx.maxPriorityFeePerGas : price,
    accessList: (tx.accessList ?? []).map(({ address, storageKeys }) => [address.toLowerCase(), storageKeys]),
  };
}

describe('a signed Ethereum tx', () => {
  it('is read as ethers reads it', () => {
    fc.assert(
      fc.property(anyTx, (serialized) => {
        expect(ours(read(bytes(serialized)))).toEqual(theirs(Transaction.from(serialized)));
      }),
      { numRuns: 80 },
    );
  });

  it('is refused with a reason, or read as ethers reads it, when a byte of it is another', () => {
    fc.assert(
      fc.property(anyTx, fc.nat(), fc.integer({ min: 1, max: 255 }), (serialized, at, change) => {
        const raw = Uint8Array.from(bytes(serialized));
        const place = at % raw.length;
        raw[place] = (raw[place] ?? 0) ^ change;
        let tx: EthereumTx;
        try {
          tx = read(raw);
        } catch (error) {
          expect(error).toBeInstanceOf(ChainError);
          return;
        }
        expect(ours(tx)).toEqual(theirs(Transaction.from(hex(raw))));
      }),
      { numRuns: 120 },
    );
  });

  it('has one encoding: nothing behind it, nothing cut off, no longer forms', () => {
    const refused = (text: string) => {
      try {
        read(bytes(text));
      } catch (error) {
        if (error instanceof ChainError) return `${error.codespace}/${error.code}`;
        throw error;
      }
      return 'read';
    };
    const [good = ''] = fc.sample(anyTx, { numRuns: 1, seed: 7 });
    expect(refused(good)).toBe('read');
    expect(refused(`${good}00`)).toBe('sdk/2');
    expect(refused(good.slice(0, -2))).toBe('sdk/2');
    // one byte below 0x80 with a length before it; a length with a zero before it; lists without an end
    for (const text of ['0xc28105', '0xf90001c0', `0x${'c1'.repeat(3)}c0`, '0xff', '0x02', '0x', '0x80'])
      expect(refused(text)).toBe('sdk/2');
  });

  it('is not read when it has more bytes than a tx may have', () => {
    // the type of no tx, so that reading it would say something else
    const readLong = () => read(Buffer.alloc(131_073));
    expect(readLong).toThrow('oversized data: transaction size 131073, limit 131072: tx too large');
    expect(() => read(Buffer.alloc(131_072))).toThrow('transaction type not supported');
  });

  it('is kept with others up to so many bytes', () => {
    const keeping = createTransactionReader(CHAIN_ID, 100_000);
    const signed = (nonce: number, length: number) => {
      const made = Transaction.from({
        chainId: CHAIN_ID,
        nonce,
        gasLimit: 1,
        data: `0x${'01'.repeat(length)}`,
      });
      made.signature = new Wallet(`0x${'1'.padStart(64, '0')}`).signingKey.sign(made.unsignedHash);
      return bytes(made.serialized);
    };
    const first = signed(0, 1);
    const tx = keeping(first);
    for (let nonce = 1; nonce <= 3; nonce++) keeping(signed(nonce, 10_000));
    expect(keeping(first)).toBe(tx);
    // the first one was asked for last, so these push out the large ones before it and then the first one itself
    for (let nonce = 4; nonce <= 8; nonce++) keeping(signed(nonce, 10_000));
    expect(keeping(first)).not.toBe(tx);
  });
});
