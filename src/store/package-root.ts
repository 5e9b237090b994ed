import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StrataError } from 'strata-kit/errors';

/** The folder of package.json and sql/, whether this runs from src or from dist/src. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'sql'))) return folder;
    const parent = dirname(folder);
    if (parent === folder)
      throw new StrataError('internal', 'The package has no folder sql beside package.json');
    folder = parent;
  }
}
