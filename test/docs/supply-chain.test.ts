import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** What SECURITY.md and CONTRIBUTING.md ("To release") promise of what `npm ci` installs. */

interface LockedPackage {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const installed = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);

it('has a SHA-512 for every package that Linux on x64 with glibc installs', () => {
  const unchecked = installed
    .filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)
    .filter(([, { os, cpu, libc }]) => fits(os, 'linux') && fits(cpu, 'x64') && fits(libc, 'glibc'));
  expect(unchecked.map(([path]) => path)).toEqual([]);
});

it('misses a SHA-512 only for optional packages of other platforms', () => {
  const unchecked = installed.filter(([, { integrity }]) => integrity === undefined);
  expect(unchecked.filter(([, { optional }]) => optional !== true).map(([path]) => path)).toEqual([]);
});

function fits(allowed: readonly string[] | undefined, value: string): boolean {
  return allowed === undefined || allowed.includes(value);
}
