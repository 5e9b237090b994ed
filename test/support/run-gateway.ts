import { join } from 'node:path';
import { openEmbedded } from '../../src/store/embedded.ts';
import { startGateway } from './gateway.ts';

/**
 * A process that stands in for a ClickHouse server over the folder in argv[2]: it sends its URL, and ends when told. The
 * engine has a process to itself, as a server has, while the one under test opens another folder.
 */
const folder = process.argv[2] ?? '';
const keeper = await openEmbedded({ folder });
const gateway = await startGateway({ engineFolder: join(folder, 'engine') });
process.once('message', () => {
  void gateway
    .close()
    .then(() => keeper.close())
    .then(() => process.exit(0));
});
process.send?.(gateway.url);
