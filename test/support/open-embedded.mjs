import { toErrorRecord } from 'strata-kit/errors';
import { openEmbedded } from '../../dist/src/store/embedded.js';

/** A process that opens the embedded store in argv[2], says so or why not, and closes it at a message. It runs the built code, without tsx. */
try {
  const factory = await openEmbedded({ folder: process.argv[2] ?? '' });
  const store = await factory.open('child');
  await store.query('SELECT 1');
  process.once('message', () => {
    void factory.close().then(() => process.exit(0));
  });
  process.send?.('open');
} catch (error) {
  process.send?.(toErrorRecord(error), () => process.exit(1));
}
