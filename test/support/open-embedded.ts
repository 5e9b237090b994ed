import { toErrorRecord } from '../../src/core/errors.ts';
import { openEmbedded } from '../../src/store/embedded.ts';

/** A process that opens the embedded store in argv[2], says so or why not, and closes it when told. */
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
