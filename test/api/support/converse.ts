import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** For `end`: matches nothing. */
export const UNTIL_CLOSED = /(?!)/;

/** Sends bytes to a port and collects what comes until it matches `end`, the server closes, or `waitMs` are over. */
export async function converse(
  port: number,
  bytes: string | Buffer,
  end: RegExp,
  waitMs = 5000,
): Promise<{ readonly received: string; readonly closed: boolean }> {
  const socket = connect(port, '127.0.0.1');
  // the server may reset the connection
  socket.on('error', () => {});
  await once(socket, 'connect');
  let received = '';
  let closed = false;
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.on('close', () => {
    closed = true;
  });
  socket.write(bytes);
  const startMs = Date.now();
  while (!closed && !end.test(received) && Date.now() - startMs < waitMs) await sleep(2);
  socket.destroy();
  return { received, closed };
}
