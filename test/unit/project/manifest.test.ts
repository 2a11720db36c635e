import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { internalCommands, kindVerbs, views } from '../../../src/contributions';
import { viewTypes } from '../../../src/features/sessions/viewTypes';
import { manifestText } from '../../schemas/manifestText';

interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Manifest {
  readonly icon: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string; readonly icon?: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly icon: string }[] };
    readonly viewsWelcome: readonly { readonly view: string; readonly when?: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope?: string; readonly default?: unknown }>> };
    readonly configurationDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly { readonly media: Readonly<Record<string, string>>; readonly completionEvents: readonly string[] }[];
    }[];
  };
}

const text = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(text) as Manifest;
const texts = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Record<string, string>;
const { commands, menus, configuration, viewsWelcome, walkthroughs, ...others } = manifest.contributes;
const steps = walkthroughs.flatMap(walkthrough => walkthrough.steps);
const commandIds = commands.map(({ command }) => command);
const viewIds = Object.values(others.views).flatMap(list => list.map(({ id }) => id));
const rowMenu = menus['view/item/context'] ?? [];
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => readFileSync(`src/${name}`, 'utf8'))
  .join('\n');

/** Context values of a row of each kind, with all words that the row can have at once. The first item is the view. */
const rowsOfAllAbilities = [
  ['batches', 'file batch hasSource hasResults deletable fetched showable retryable'],
  ['batches', 'file batch hasSource hasResults deletable fetched showable trial'],
  ['batches', 'file batch hasSource hasResults cancelable unfinished fetched showable retryable'],
  ['batches', 'batch hasResults deletable adoptable'],
  ['sessions', 'session deletable sendable interruptible renamable archivable waiting'],
  ['agents', 'agent comparable startable archivable hasDraft'],
  ['agents', 'agent version comparable startable restorable'],
  ['resources', 'group environmentGroup creatable'],
  ['resources', 'resource environment deletable editable archivable hasDraft'],
  ['resources', 'resource deployment editable archivable runnable pausable remarked hasDraft'],
  ['resources', 'resource serviceFile deletable readable'],
  ['resources', 'resource vault deletable editable archivable fillable hasDraft'],
  ['resources', 'resource credential deletable archivable rotatable validatable'],
  ['resources', 'resource webhook deletable enablable'],
  ['resources', 'resource memoryStore deletable editable archivable writable hasDraft'],
  ['resources', 'resource memory deletable'],
  ['resources', 'memoryFolder'],
  ['resources', 'resource skill deletable versionable'],
  ['resources', 'resource work hasSession stoppable'],
] as const;

describe('project/manifest', () => {
  it('declares the commands, settings and views of contributions.ts, and no other', () => {
    assert.deepEqual([...commandIds].sort(), [...keysOf('Commands'), ...kindVerbs.map(verb => `managedAgents.${verb}`)].sort());
    assert.deepEqual([...internalCommands].sort(), keysOf('InternalCommands'));
    assert.deepEqual(Object.keys(configuration.properties).sort(), keysOf('Settings'));
    assert.deepEqual([...viewIds].sort(), Object.values<string>(views).sort());
  });

  it("opens U+2028 and U+2029 in request files, results and edited requests without VS Code's question", () => {
    for (const language of ['[jsonl]', '[json]']) {
      assert.equal(manifest.contributes.configurationDefaults[language]?.['editor.unusualLineTerminators'], 'off', language);
    }
  });

  it('reads the context keys of contributions.ts, and no other', () => {
    const clauses = [
      ...[...Object.values(menus).flat(), ...viewsWelcome].map(({ when }) => when),
      ...steps.flatMap(({ completionEvents }) => completionEvents.filter(event => event.startsWith('onContext:'))),
    ].join(' ');
    const ids = new Set<string>([...commandIds, ...viewIds, ...Object.values(viewTypes), 'managedAgents.results']);
    const keys = [...clauses.matchAll(/(?<![\w/.])managedAgents\.\w+/g)].map(([key]) => key).filter(key => !ids.has(key));
    assert.deepEqual([...new Set(keys)].sort(), keysOf('ContextKeys'));
  });

  it('has every text that it names, and names every text', () => {
    const named = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key));
    assert.deepEqual([...named].sort(), Object.keys(texts).sort());
  });

  it('gives every command the category, and an icon if it is a button', () => {
    const entries = ['view/title', 'view/item/context', 'editor/title'].flatMap(menu => menus[menu] ?? []);
    const buttons = new Set(entries.filter(({ group = '' }) => /^(?:inline|navigation)/.test(group)).map(({ command }) => command));
    for (const { command, category, icon } of commands) {
      assert.equal(texts[category.replaceAll('%', '')], 'Managed Agents', command);
      assert.ok(!buttons.has(command) || icon !== undefined, `${command} is a button without an icon`);
    }
  });

  it('offers the buttons of a row in its menu too, for the keyboard', () => {
    const ofRows = rowMenu.filter(({ when = '' }) => /^view == managedAgents\.(?:sessions|agents|resources) /.test(when));
    const [buttons, entries] = [true, false].map(isButton => ofRows.filter(({ group = '' }) => group.startsWith('inline') === isButton));
    assert.ok(buttons !== undefined && buttons.length > 0);
    assert.deepEqual(
      buttons.filter(
        ({ command, when = '' }) =>
          !entries?.some(entry => entry.command === command && entry.when?.replace(' && !listMultiSelection', '') === when),
      ),
      [],
    );
  });

  for (const [view, abilities] of rowsOfAllAbilities) {
    it(`offers at most 8 entries in the menu of a row: ${abilities}`, () => {
      const entries = rowMenu.filter(({ when = '', group = '' }) => !group.startsWith('inline') && isOffered(when, view, abilities));
      assert.ok(entries.length > 0);
      assert.ok(entries.length <= 8, entries.map(({ command }) => command).join(', '));
    });
  }

  it('offers a command that the palette hides in another menu or in code', () => {
    const { commandPalette = [], ...otherMenus } = menus;
    const offered = new Set(Object.values(otherMenus).flatMap(entries => entries.map(({ command }) => command)));
    const hidden = commandPalette.flatMap(({ command = '', when }) => (when === 'false' && !offered.has(command) ? [command] : []));
    assert.deepEqual(
      hidden.filter(command => sources.split(`'${command}'`).length <= 2),
      [],
    );
  });

  it("shows a file's submenu whenever one of its entries applies", () => {
    for (const place of ['explorer/context', 'editor/title/context']) {
      const submenu = menus[place]?.find(entry => entry.submenu === 'managedAgents.fileMenu');
      const clauses = new Set(submenu?.when?.split(' || '));
      const needed = (menus['managedAgents.fileMenu'] ?? []).flatMap(({ when = '' }) => when.split(' || '));
      assert.ok(needed.length > 0);
      assert.deepEqual(
        needed.filter(clause => !clauses.has(clause)),
        [],
        place,
      );
    }
  });

  it('refers in menus, welcome texts and walkthroughs only to existing commands and views', () => {
    const named = [
      ...Object.values(menus).flatMap(entries => entries.flatMap(({ command }) => command ?? [])),
      ...Object.values(texts).flatMap(words => [...words.matchAll(/\(command:(managedAgents[\w.]+)/g)].map(([, command = '']) => command)),
      ...viewsWelcome.map(({ view }) => `${view}.focus`),
      ...steps.flatMap(({ completionEvents }) => completionEvents.flatMap(event => /^onCommand:(.*)/.exec(event)?.[1] ?? [])),
    ];
    const known = new Set([...commandIds, ...viewIds.map(id => `${id}.focus`)]);
    assert.deepEqual(
      named.filter(name => !known.has(name)),
      [],
    );
  });

  it('names only existing files', () => {
    const media = steps.flatMap(step => Object.entries(step.media)).filter(([kind]) => kind !== 'altText');
    const files = [manifest.icon, ...others.viewsContainers.activitybar.map(({ icon }) => icon), ...media.map(([, file]) => file)];
    assert.deepEqual(
      files.filter(file => !existsSync(file)),
      [],
    );
  });

  it('is as npm run schemas writes it: each menu entry on one line, tools and command titles from their tables', () => {
    assert.equal(text, manifestText(manifest));
    assert.ok(text.split('\n').length <= 2_000);
  });

  it('declares the MCP server by its registered name', () => {
    const registered = [...sources.matchAll(/registerMcpServerDefinitionProvider\('([^']+)'/g)].map(([, id]) => id);
    assert.deepEqual(
      others.mcpServerDefinitionProviders.map(({ id }) => id),
      registered,
    );
  });

  it('lets no workspace decide where a key is sent, which rules approve, or which tools models get', () => {
    for (const [key, { scope, default: value }] of Object.entries(configuration.properties)) {
      assert.ok(scope !== undefined && value !== undefined, key);
    }
    for (const setting of [
      'managedAgents.connections',
      'managedAgents.ai.through',
      'managedAgents.ai.mcp',
      'managedAgents.estimate.minimumCachedTokens',
    ]) {
      assert.equal(configuration.properties[setting]?.scope, 'application', setting);
    }
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    for (const setting of [
      'managedAgents.connection',
      'managedAgents.rules',
      'managedAgents.estimate.prices',
      'managedAgents.estimate.currency',
    ]) {
      assert.ok(restrictedConfigurations.includes(setting), setting);
    }
  });

  it('uses the API of the oldest VS Code it supports, and no proposed API', () => {
    assert.equal(`^${manifest.devDependencies['@types/vscode']}`, manifest.engines.vscode);
    assert.ok(!text.includes('enabledApiProposals'));
  });
});

/** Returns whether a `when` clause of a row menu holds for a single selected row. */
function isOffered(when: string, view: string, abilities: string): boolean {
  return when.split(' && ').every(clause => {
    const [, pattern] = /^viewItem =~ \/(.*)\/$/.exec(clause) ?? [];
    return pattern === undefined
      ? clause === `view == managedAgents.${view}` || clause === '!listMultiSelection'
      : new RegExp(pattern).test(abilities);
  });
}

/** Returns the sorted keys of an interface that contributions.ts exports. */
function keysOf(name: string): string[] {
  const body = new RegExp(`export interface ${name}(?: extends [\\w, ]+)? \\{([\\s\\S]*?)\\n\\}`).exec(sources)?.[1] ?? '';
  return [...body.matchAll(/^ {2}'([^']+)':/gm)].map(([, key = '']) => key).sort();
}
