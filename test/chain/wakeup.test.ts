import { expect, it } from 'vitest';
import { headText } from '../../src/chain/rpc/wakeup.ts';

it('reads the beginning of an event and no more, in one piece or several', () => {
  const event = Buffer.from('{"jsonrpc":"2.0"}'.repeat(1_000));
  const head = event.toString('latin1', 0, 4_000);
  expect(headText(event)).toBe(head);
  expect(headText([event.subarray(0, 10), event.subarray(10, 3_000), event.subarray(3_000)])).toBe(head);
  expect(headText(new Uint8Array(event).buffer)).toBe(head);
  expect(headText(Buffer.from('{}'))).toBe('{}');
});
