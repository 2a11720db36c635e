import { readFileSync } from 'node:fs';
import { rulePages } from '../../src/jsonl/rules/rulePages';
import { type RuleId, ruleTable } from '../../src/jsonl/rules/ruleTable';

type Texts = Readonly<Record<string, string>>;

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly keybindings?: readonly { readonly command: string; readonly key: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
    readonly configuration: Configuration | readonly Configuration[];
  };
}

interface Configuration {
  readonly properties: Readonly<Record<string, Setting>>;
}

interface Setting {
  readonly default?: unknown;
  readonly scope?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
}

/** Returns the generated pages of the documentation, keyed by file. */
export function docFiles(): ReadonlyMap<string, string> {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
  const texts = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Texts;
  return new Map([
    ['docs/settings-and-commands.md', toSettingsAndCommands(manifest, texts)],
    ['docs/rules.md', toRules()],
  ]);
}

function toSettingsAndCommands({ contributes }: Manifest, texts: Texts): string {
  const { commands, keybindings = [], menus, configuration } = contributes;
  const hidden = new Set(menus.commandPalette.flatMap(({ command, when }) => (when === 'false' ? [command] : [])));
  const listed = commands
    .filter(({ command }) => !hidden.has(command))
    .map(({ command, title }) => ({
      title: inTexts(title, texts),
      keys: keybindings.flatMap(binding => (binding.command === command ? [`\`${binding.key}\``] : [])),
      command,
    }))
    .sort((a, b) => a.title.localeCompare(b.title, 'en'));
  const settings = Object.assign({}, ...[configuration].flat().map(({ properties }) => properties)) as Readonly<Record<string, Setting>>;
  return [
    '# Settings and commands',
    '',
    'You want to know what a setting does or how a command is called. This page is written by `npm run schemas`.',
    '',
    '## Settings',
    '',
    'Settings with the scope "application" can\'t be set by a workspace.',
    '',
    '| setting | default | scope | what it does |',
    '|---|---|---|---|',
    ...Object.entries(settings).map(
      ([name, { default: value, scope = 'window', description, markdownDescription }]) =>
        `| \`${name}\` | \`${JSON.stringify(value ?? null)}\` | ${scope} | ${toCell(inTexts(markdownDescription ?? description ?? '', texts))} |`,
    ),
    '',
    '## Commands',
    '',
    'All are under **Managed Agents** in the command palette, while they can do something.',
    '',
    '| command | key | ID |',
    '|---|---|---|',
    ...listed.map(({ title, keys, command }) => `| ${title} | ${keys.join(', ')} | \`${command}\` |`),
    '',
  ].join('\n');
}

function toRules(): string {
  return [
    '# Rules',
    '',
    'You want to know why a line is marked. What the contract makes certain is an error and keeps a batch from being created;',
    '`managedAgents.rules` changes severities. This page is written by `npm run schemas`.',
    '',
    '| rule | severity | what it finds |',
    '|---|---|---|',
    ...Object.entries(ruleTable).map(([rule, { severity }]) => `| \`${rule}\` | ${severity} | ${rulePages[rule as RuleId].text} |`),
    '',
  ].join('\n');
}

/** Returns the manifest text for a placeholder such as `%key%`, or the text itself if it isn't a placeholder. */
function inTexts(text: string, texts: Texts): string {
  const key = /^%(.+)%$/.exec(text)?.[1];
  return key === undefined ? text : (texts[key] ?? text);
}

function toCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}
