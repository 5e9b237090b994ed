import { stat, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { StrataError } from 'strata-kit/errors';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  askControl,
  type ControlHandlers,
  type ControlServer,
  listenControl,
} from '../../src/admin/control.ts';
import { deferred } from '../../src/core/deferred.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ControlServer | undefined;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await folder.remove();
});

const path = (): string => join(folder.path, 'control.sock');

async function start(handlers: ControlHandlers): Promise<void> {
  server = await listenControl(path(), handlers);
}

describe('the control socket', () => {
  it("carries a request to the process behind it and its answer back, and is its owner's alone", async () => {
    await start({ double: async (argument) => Number(argument) * 2 });
    expect(await askControl(path(), 'double', 21)).toEqual({ result: 42 });
    expect((await stat(path())).mode & 0o777).toBe(0o600);
  });

  it('carries errors with their codes', async () => {
    await start({
      fail: async () => {
        throw new StrataError('store_empty', 'nothing there');
      },
    });
    await expect(askControl(path(), 'fail', {})).rejects.toMatchObject({
      code: 'store_empty',
      message: 'nothing there',
    });
    await expect(askControl(path(), 'toString', {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is nobody where no process listens, and takes the place of one that was killed', async () => {
    expect(await askControl(path(), 'double', 1)).toBeUndefined();
    await writeFile(path(), '');
    expect(await askControl(path(), 'double', 1)).toBeUndefined();
    await start({ double: async (argument) => Number(argument) * 2 });
    expect(await askControl(path(), 'double', 1)).toEqual({ result: 2 });
  });

  it('is left out where its path is too long', async () => {
    const long = join(folder.path, 'x'.repeat(120));
    expect(await listenControl(long, {})).toBeUndefined();
    expect(await askControl(long, 'double', 1)).toBeUndefined();
    expect(await listenControl(join(folder.path, 'no-folder', 'sock'), {})).toBeUndefined();
  });
});

describe('its limits', () => {
  it('one request at a time', async () => {
    const begun = deferred<void>();
    const go = deferred<void>();
    await start({
      wait: async () => {
        begun.resolve();
        await go.promise;
        return 'done';
      },
    });
    const first = askControl(path(), 'wait', {});
    await begun.promise;
    await expect(askControl(path(), 'wait', {})).rejects.toMatchObject({ code: 'store_busy' });
    go.resolve();
    expect(await first).toEqual({ result: 'done' });
    expect(await askControl(path(), 'wait', {})).toEqual({ result: 'done' });
  });

  it('no large requests', async () => {
    await start({ take: async () => 'taken' });
    await expect(askControl(path(), 'take', 'x'.repeat(70_000))).rejects.toMatchObject({
      code: 'bad_request',
    });
  });

  it('a bounded number of connections', async () => {
    await start({});
    const sockets: Socket[] = [];
    const isDropped = (socket: Socket): Promise<void> =>
      new Promise((resolve) => {
        socket.on('error', () => {});
        socket.once('close', () => resolve());
      });
    const dropped = Array.from({ length: 17 }, () => {
      const socket = connect(path());
      sockets.push(socket);
      return isDropped(socket);
    });
    await Promise.any(dropped);
    for (const socket of sockets) socket.destroy();
  });

  it('its end waits for what is under way, and for nobody else', async () => {
    const begun = deferred<void>();
    const go = deferred<void>();
    await start({
      wait: async () => {
        begun.resolve();
        await go.promise;
        return 'done';
      },
    });
    const idle = connect(path());
    idle.on('error', () => {});
    const asked = askControl(path(), 'wait', {});
    await begun.promise;
    const closed = server?.close();
    go.resolve();
    expect(await asked).toEqual({ result: 'done' });
    await closed;
    server = undefined;
    expect(await askControl(path(), 'wait', {})).toBeUndefined();
  });
});
