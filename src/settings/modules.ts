import { onOff, toList } from 'strata-kit/cli/kinds';
import { kind, setting } from 'strata-kit/cli/setting';
import { z } from 'zod';

const paths = kind<readonly string[]>(
  'paths of files that export a module, separated by commas',
  '<path,…>',
  z.preprocess(toList, z.array(z.string().min(1)).min(1)),
  { isList: true, resolve: (given, absolute) => given.map(absolute) },
);

export const modules = setting('modules', paths, {
  group: 'Modules',
  text: "files that each export a module, beside Strata's own (docs/modules.md)",
  preset: [],
});

export const forceModules = setting('forceModules', onOff, {
  group: 'Store',
  text: "derive modules although the store does not begin with the chain's first block",
  preset: false,
});
