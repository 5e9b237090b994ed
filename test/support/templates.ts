import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isProcessAlive } from '../../src/store/process-alive.ts';
import { copyFolder } from './copy-folder.ts';

/**
 * Folders that tests copy instead of making them: an indexed store costs seconds of CPU, its copy a tenth. They are kept
 * between runs, outside of the project, under a hash of everything that they depend on (template-key.ts).
 */

/** Set by the global set-up. Without it every template is made anew. */
const KEY = process.env.STRATA_TEST_TEMPLATES;
const KEPT_KEYS = 3;
/** A run of other sources may still use its templates. */
const UNUSED_MS = 30 * 60_000;

export function templatesRoot(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'strata', 'test-templates');
}

/** Copies the template into a folder that does not exist; makes it first, with `make`, where it is missing. */
export async function copyTemplate(
  name: string,
  into: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  if (KEY === undefined) return make(into);
  const template = join(templatesRoot(), KEY, name);
  if (!(await exists(template))) await keep(template, make);
  await copyFolder(template, into);
}

/** Another process may make the same one: the first that is complete stays. */
async function keep(template: string, make: (folder: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(template), { recursive: true });
  const folder = await mkdtemp(join(dirname(template), `.${process.pid}-`));
  try {
    const made = join(folder, 'made');
    await make(made);
    await rename(made, template).catch(async (error: NodeJS.ErrnoException) => {
      if (!(await exists(template))) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes the templates of other sources but the newest and those that a run began with in the last half hour, and what
 * killed processes have left. Errors: of the file system.
 */
export async function removeOldTemplates(key: string): Promise<void> {
  const root = templatesRoot();
  const own = join(root, key);
  await mkdir(own, { recursive: true });
  const now = new Date();
  await utimes(own, now, now);
  for (const name of await readdir(own)) {
    const pid = /^\.(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isProcessAlive(Number(pid))) {
      await rm(join(own, name), { recursive: true, force: true });
    }
  }
  const others = (await readdir(root)).filter((name) => name !== key);
  const ages = await Promise.all(
    others.map(async (name) => [name, (await stat(join(root, name))).mtimeMs] as const),
  );
  for (const [name, usedAtMs] of ages.sort(([, a], [, b]) => b - a).slice(KEPT_KEYS - 1)) {
    if (now.getTime() - usedAtMs > UNUSED_MS) await rm(join(root, name), { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
