import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * A client in a process of its own that sends one request when it is told to, on one keep-alive connection, and tells
 * how long the answer took to arrive whole. argv: the server's URL.
 */
export interface Probe {
  /** Milliseconds. Errors: when the answer is no 200. */
  ask(target: string): Promise<number>;
  stop(): void;
}

export async function startProbe(url: string): Promise<Probe> {
  const child: ChildProcess = fork(new URL('./probe.js', import.meta.url), [url]);
  await once(child, 'message');
  return {
    async ask(target) {
      child.send(target);
      const [ms] = (await once(child, 'message')) as [number | string];
      if (typeof ms === 'string') throw new Error(`${target}: ${ms}`);
      return ms;
    },
    stop: () => child.disconnect(),
  };
}

function serveParent(url: string): void {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => process.send?.('ready'));
  socket.setNoDelay(true);
  let sentMs = 0;
  let received: Buffer = Buffer.alloc(0);
  let end = -1;
  let length = 0;
  process.on('message', (target: string) => {
    received = Buffer.alloc(0);
    end = -1;
    sentMs = performance.now();
    socket.write(`GET ${target} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
  });
  process.on('disconnect', () => socket.destroy());
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    if (end < 0) {
      end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = received.toString('latin1', 0, end);
      length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
      if (!head.startsWith('HTTP/1.1 200')) {
        process.send?.(head);
        return;
      }
    }
    if (received.length === end + 4 + length) process.send?.(performance.now() - sentMs);
  });
}

const [url] = process.argv.slice(2);
if (import.meta.filename === process.argv[1] && url !== undefined) serveParent(url);
