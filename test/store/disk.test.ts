import { describe, expect, it } from 'vitest';
import { hasNoRoom, isDiskFull, spoolFailed } from '../../src/store/disk.ts';
import { queryFailed } from '../../src/store/engine-error.ts';

const errno = (code: string): Error => Object.assign(new Error(`${code}: write`), { code });

describe('a full disk', () => {
  it.each([
    errno('ENOSPC'),
    errno('EDQUOT'),
    new Error('Code: 243. DB::Exception: Cannot reserve 3.29 MiB, not enough space. (NOT_ENOUGH_SPACE)'),
    new Error('Cannot write to file: , errno: 28, strerror: No space left on device'),
  ])('is told by %s', (error) => {
    expect(isDiskFull(error)).toBe(true);
    expect(spoolFailed(error).code).toBe('disk_full');
    const engineError = { code: 243, type: 'NOT_ENOUGH_SPACE', message: error.message };
    expect(queryFailed('refused', engineError, error).code).toBe('disk_full');
  });

  it.each([errno('EROFS'), errno('EIO'), new Error('Code: 60. DB::Exception: no table')])(
    'is not told by %s',
    (error) => {
      expect(isDiskFull(error)).toBe(false);
      expect(spoolFailed(error).code).toBe('store_query_failed');
      expect(queryFailed('refused', { code: 60, type: '', message: '' }, error).code).toBe(
        'store_query_failed',
      );
    },
  );

  it('is told by the file system itself', async () => {
    expect(await hasNoRoom(import.meta.dirname)).toBe(false);
  });
});
