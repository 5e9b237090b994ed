import { onOff, paths } from 'strata-kit/cli/kinds';
import { setting } from 'strata-kit/cli/setting';

export const modules = setting('modules', paths('files that export a module'), {
  group: 'Modules',
  text: "files that each export a module, beside Strata's own (docs/modules.md)",
  preset: [],
});

export const forceModules = setting('forceModules', onOff, {
  group: 'Store',
  text: "derive modules although the store does not begin with the chain's first block",
  preset: false,
});
