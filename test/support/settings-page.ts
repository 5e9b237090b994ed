import { knownSettings, loadCommand } from 'strata-kit/cli/catalogue';
import { flagUsage, type Setting, variableName } from 'strata-kit/cli/setting';
import { COMMANDS } from '../../src/cli/command-list.ts';
import { COMMON } from '../../src/cli/strata.ts';

const INTRODUCTION = `# Settings

Made from the setting records of all packages by \`npm run settings\`: change those, not this page.

A setting \`--memory-mb\` is also the variable \`STRATA_MEMORY_MB\` and the key \`memoryMb\` of the YAML file that \`--config\` or \`STRATA_CONFIG\` names. A flag wins over its variable, a variable over the file, the file over the default. Lists take several flags, or values separated by commas. Flags of one command alone are in its \`--help\`.
`;

/** A setting as its commands have it. */
interface Use {
  readonly command: string;
  readonly setting: Setting;
}

/** docs/settings.md. */
export async function settingsPage(): Promise<string> {
  const records = await Promise.all(COMMANDS.map(loadCommand));
  const uses = records.flatMap((record): Use[] =>
    record.kind === 'command' ? record.settings.map((setting) => ({ command: record.name, setting })) : [],
  );
  const groups = new Map<string, string[]>();
  for (const one of (await knownSettings(COMMANDS, COMMON)).values()) {
    if (one.isInternal) continue;
    const rows = groups.get(one.group) ?? [];
    groups.set(one.group, [
      ...rows,
      rowOf(
        one,
        uses.filter(({ setting }) => setting.key === one.key),
      ),
    ]);
  }
  const parts = [...groups].map(
    ([group, rows]) =>
      `\n## ${group}\n\n| setting | what it says | must be | default | commands |\n|---|---|---|---|---|\n${rows.join('\n')}\n`,
  );
  return `${INTRODUCTION}${parts.join('')}`;
}

function rowOf(first: Setting, uses: readonly Use[]): string {
  const { key, kind, places, secrecy } = first;
  const name = places.includes('flag')
    ? `\`${flagUsage(first)}\``
    : `\`${places.includes('variable') ? variableName(key) : `${key}:`}\``;
  const secret = secrecy === 'all' ? '. Secret: put it into a variable or the file' : '';
  const cells = [
    name,
    `${byCommand(uses, first, ({ text }) => text)}${secret}`,
    kind.allowed,
    byCommand(uses, first, ({ shown }) => (shown === undefined ? '' : `\`${shown}\``)),
    uses.length === 0 ? 'all' : uses.map(({ command }) => command).join(', '),
  ];
  return `| ${cells.map(escaped).join(' | ')} |`;
}

/** What most commands say, then what others say. */
function byCommand(uses: readonly Use[], first: Setting, say: (setting: Setting) => string): string {
  const said = new Map<string, string[]>([[say(uses[0]?.setting ?? first), []]]);
  for (const { command, setting } of uses) {
    const text = say(setting);
    said.set(text, [...(said.get(text) ?? []), command]);
  }
  return [...said]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([text, commands], at) => (at === 0 ? text : `${commands.join(', ')}: ${text}`))
    .join('; ');
}

/** Of a cell of a table; what code quotes stays as it is. */
function escaped(cell: string): string {
  const parts = cell.split(/(`[^`]*`)/);
  const text = parts.map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '\\<')));
  return text.join('').replaceAll('|', '\\|');
}
