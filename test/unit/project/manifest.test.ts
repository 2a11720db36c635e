import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { views } from '../../../src/contributions';
import { resultsViewType } from '../../../src/features/results/panel/resultsViewType';
import { viewTypes } from '../../../src/features/sessions/panel/words/viewTypes';
import { toolManifest } from '../../schemas/toolManifest';
import { readSources } from './sourceFile';

interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Manifest {
  readonly icon: string;
  readonly activationEvents: readonly string[];
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title?: string; readonly category?: string; readonly icon?: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon?: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string; readonly icon: string }[] };
    readonly viewsWelcome: readonly { readonly view: string; readonly when?: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly scope?: string; readonly order?: number; readonly default?: unknown }>>;
    };
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly languageModelTools: readonly {
      readonly name: string;
      readonly toolReferenceName: string;
      readonly when: string;
      readonly modelDescription: string;
    }[];
    readonly walkthroughs?: readonly {
      readonly steps: readonly {
        readonly id: string;
        readonly media: Readonly<Record<string, string>>;
        readonly completionEvents: readonly string[];
      }[];
    }[];
  };
}

const manifestText = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(manifestText) as Manifest;
const texts = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Record<string, string>;
const contributions = ['contributions', 'contextKeyValues', 'settingValues'].map(name => readFileSync(`src/${name}.ts`, 'utf8')).join('\n');
const { commands, menus, configuration } = manifest.contributes;
const steps = (manifest.contributes.walkthroughs ?? []).flatMap(walkthrough => walkthrough.steps);
const commandIds = commands.map(({ command }) => command);
const viewIds = Object.values(manifest.contributes.views).flatMap(list => list.map(({ id }) => id));

describe('project/manifest', () => {
  it('declares the commands of contributions.ts, and no other', () => {
    assert.deepEqual([...commandIds].sort(), keysOf('Commands'));
    assert.equal(new Set(commandIds).size, commandIds.length);
  });

  it('declares the settings of contributions.ts, and no other', () => {
    assert.deepEqual(Object.keys(configuration.properties).sort(), keysOf('Settings'));
  });

  it('declares the views of contributions.ts, and no other', () => {
    assert.deepEqual([...viewIds].sort(), Object.values<string>(views).sort());
  });

  it('reads the context keys of contributions.ts, and no other', () => {
    const clauses = [
      ...Object.values(menus).flatMap(entries => entries.map(({ when }) => when ?? '')),
      ...manifest.contributes.viewsWelcome.map(({ when }) => when ?? ''),
      ...steps.flatMap(({ completionEvents }) => completionEvents.filter(event => event.startsWith('onContext:'))),
    ].join(' ');
    const others = new Set<string>([...commandIds, ...viewIds, ...Object.values(viewTypes), resultsViewType]);
    const read = [...clauses.matchAll(/(?<![\w/.])managedAgents\.\w+/g)].map(([key]) => key).filter(key => !others.has(key));
    assert.deepEqual([...new Set(read)].sort(), keysOf('ContextKeys'));
  });

  it('has every text it names, and names every text it has', () => {
    const named = new Set([...manifestText.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key));
    assert.deepEqual([...named].sort(), Object.keys(texts).sort());
  });

  it('gives every command a title in Title Case, the category, and an icon where it is drawn', () => {
    const drawn = new Set(
      ['view/title', 'view/item/context', 'editor/title'].flatMap(menu =>
        (menus[menu] ?? []).filter(entry => /"group":"(?:inline|navigation)/.test(JSON.stringify(entry))).map(({ command }) => command),
      ),
    );
    for (const { command, title, category, icon } of commands) {
      const text = texts[title?.replaceAll('%', '') ?? ''];
      assert.match(text ?? '', /^[A-Z]/, command);
      assert.equal(texts[category?.replaceAll('%', '') ?? ''], 'Managed Agents', command);
      assert.ok(!drawn.has(command) || icon !== undefined, `${command} is drawn as a button and has no icon`);
    }
  });

  it('offers what makes a member of a group at its row and in the menu of that row, for whoever has no mouse too', () => {
    const ofRow = (menus['view/item/context'] ?? []).filter(({ when = '' }) => /viewItem =~ .*Group/.test(when));
    const places = (isInline: boolean) =>
      ofRow.filter(({ group }) => group?.startsWith('inline') === isInline).map(({ command, when }) => `${command} ${when}`);
    assert.ok(ofRow.length >= 16);
    assert.deepEqual(places(false).sort(), places(true).sort());
    const made = ofRow.map(({ command }) => command).filter(command => command !== 'managedAgents.credential.add');
    const title = (menus['view/title'] ?? []).filter(({ when = '', group }) => when.includes('.resources ') && group?.startsWith('1_new'));
    assert.deepEqual(new Set(title.map(({ command }) => command)), new Set(made));
    assert.equal(new Set(title.map(({ group }) => group)).size, title.length);
  });

  it('has what ends a resource for good at the end of the menu of its row', () => {
    const entries = (menus['view/item/context'] ?? []).filter(
      ({ when = '', group = '' }) => when.includes('.resources ') && !/^inline/.test(group),
    );
    const ends = (command = '') => /resource\.(?:archive|delete)$/.test(command);
    const last = entries.filter(({ command }) => ends(command)).map(({ group = '' }) => group);
    assert.equal(last.length, 2);
    for (const { command, group = '' } of entries.filter(one => !ends(one.command))) {
      assert.ok(
        last.every(end => group < end),
        `${command} stands in ${group}, after what deletes`,
      );
    }
  });

  it('offers at most 45 commands in the palette where nothing is open and no view is shown', () => {
    const clauses = new Map((menus.commandPalette ?? []).map(({ command, when }) => [command, when]));
    const alone = (context: Context) => commandIds.filter(id => isMet(clauses.get(id) ?? '', context));
    const shown = alone({ 'managedAgents.connectionState': 'ready' });
    assert.ok(shown.length > 30 && shown.length <= 45, `${shown.length}: ${shown.join(', ')}`);
    assert.ok(alone({ 'managedAgents.connectionState': 'none' }).length < shown.length);
    const ofFile = alone({ 'managedAgents.connectionState': 'ready', resourceExtname: '.jsonl' });
    assert.ok(ofFile.length > shown.length + 15);
  });

  it('leaves what the palette hides somewhere else to be chosen', () => {
    const elsewhere = new Set(
      Object.entries(menus).flatMap(([menu, entries]) => (menu === 'commandPalette' ? [] : entries.map(({ command }) => command))),
    );
    const handlers = [...readSources().values()].map(({ text }) => text).join('\n');
    for (const { command = '', when } of menus.commandPalette ?? []) {
      const isNamed = handlers.split(`'${command}'`).length > 2;
      assert.ok(when !== 'false' || elsewhere.has(command) || isNamed, command);
    }
  });

  it('has no clause of the palette that it cannot read', () => {
    for (const { when = '' } of menus.commandPalette ?? []) {
      assert.equal(typeof isMet(when, {}), 'boolean', when);
    }
    assert.ok(isMet('!a && b == c || false', { b: 'c' }));
    assert.ok(!isMet('a && b =~ /^x\\.y$/', { a: true, b: 'xzy' }));
  });

  it('offers in the menus of files only what fits what stands in them, whatever they are called, and in one place', () => {
    const places = ['explorer/context', 'editor/title/context', 'editor/context', 'managedAgents.fileMenu'];
    for (const place of places) {
      for (const { command, when = '' } of menus[place] ?? []) {
        assert.doesNotMatch(when, /\.(?:jsonl|ndjson|json)\b(?!\?|\$)/, `${place}: ${command} goes by the ending`);
      }
    }
    const ofSubmenu = menus['managedAgents.fileMenu'] ?? [];
    assert.deepEqual([...new Set(ofSubmenu.map(({ group = '' }) => group.split('@')[0]))], ['1_make', '2_arrange', '3_results']);
    for (const place of ['explorer/context', 'editor/title/context']) {
      const direct = new Set((menus[place] ?? []).map(({ command }) => command));
      assert.deepEqual(
        ofSubmenu.map(({ command }) => command).filter(command => direct.has(command)),
        [],
        place,
      );
      const submenu = (menus[place] ?? []).find(entry => entry.submenu === 'managedAgents.fileMenu');
      const clauses = new Set((submenu?.when ?? '').split(' || '));
      const missing = ofSubmenu.flatMap(({ when = '' }) => when.split(' || ')).filter(clause => !clauses.has(clause));
      assert.deepEqual(missing, [], 'an entry would be there where the submenu is not');
    }
  });

  it('refers in menus, welcome texts and walkthroughs only to commands and views there are', () => {
    const known = new Set([...commandIds, ...viewIds.map(id => `${id}.focus`)]);
    for (const [menu, entries] of Object.entries(menus)) {
      for (const { command = '', submenu } of entries) {
        assert.ok(submenu !== undefined || known.has(command), `${menu}: ${command}`);
      }
    }
    for (const [key, text] of Object.entries(texts)) {
      for (const [, command = ''] of text.matchAll(/\(command:(managedAgents[\w.]+)/g)) {
        assert.ok(known.has(command), `${key}: ${command}`);
      }
    }
    for (const { view } of manifest.contributes.viewsWelcome) {
      assert.ok(viewIds.includes(view), view);
    }
  });

  it('names only files there are', () => {
    const icons = [manifest.icon, ...manifest.contributes.viewsContainers.activitybar.map(({ icon }) => icon)];
    const media = steps.flatMap(step => Object.entries(step.media));
    const pictures = media.filter(([kind]) => kind !== 'altText').map(([, file]) => file);
    for (const file of [...icons, ...pictures]) {
      assert.ok(existsSync(file), file);
    }
  });

  it('draws the pictures of walkthroughs in colors of the theme, and says what they show', () => {
    const drawn = steps.filter(({ media }) => media.svg !== undefined);
    assert.ok(drawn.length >= 5);
    for (const { media } of drawn) {
      const { svg = '', altText = '' } = media;
      assert.ok((texts[altText.replaceAll('%', '')] ?? '').length > 20, svg);
      const colors = [...readFileSync(svg, 'utf8').matchAll(/(?:fill|stroke)="([^"]*)"/g)].map(([, color = '']) => color);
      assert.deepEqual(
        colors.filter(color => color !== 'none' && !/^var\(--vscode-[\w-]+(?:, (?:var\(--vscode-[\w-]+\)|transparent))?\)$/.test(color)),
        [],
        svg,
      );
    }
  });

  it('completes every step of a walkthrough by what there is already, not by its command alone', () => {
    for (const { id, completionEvents } of steps) {
      assert.ok(
        completionEvents.some(event => /^on(?:Context|View):/.test(event)),
        `${id}: ${completionEvents.join()}`,
      );
    }
  });

  it('gives every setting a default, a scope and a place of its own', () => {
    const orders = Object.entries(configuration.properties).map(([key, { scope, order, default: value }]) => {
      assert.notEqual(value, undefined, key);
      assert.notEqual(scope, undefined, key);
      return order;
    });
    assert.equal(new Set(orders).size, orders.length);
  });

  it('offers language models the tools of their table, as their schemas have them: npm run schemas', () => {
    assert.deepEqual(manifest.contributes.languageModelTools, toolManifest());
  });

  it('names and describes tools as VS Code and models take them, each hidden where it may not be used', () => {
    for (const { name, toolReferenceName, modelDescription, when } of manifest.contributes.languageModelTools) {
      assert.match(`${name} ${toolReferenceName}`, /^managed-agents_[a-z_]+ [a-zA-Z]+$/);
      assert.ok(modelDescription.length <= 1_000, `${name}: ${modelDescription.length} characters`);
      assert.match(modelDescription, /\bUse it (?:when|before|after|while|only|to)/, `${name} does not say when to use it`);
      assert.match(
        when,
        /^isWorkspaceTrusted && config\.managedAgents\.ai\.tools =~ \/[^/]+\/ && config\.managedAgents\.ai\.through != mcp$/,
        name,
      );
    }
  });

  it('declares what offers tools over MCP by the name that it is registered with, and lets no workspace choose that way', () => {
    const registered = [...readSources().values()].flatMap(({ text }) =>
      [...text.matchAll(/registerMcpServerDefinitionProvider\('([^']+)'/g)].map(([, id]) => id),
    );
    assert.deepEqual(
      manifest.contributes.mcpServerDefinitionProviders.map(({ id }) => id),
      registered,
    );
    for (const setting of ['managedAgents.ai.through', 'managedAgents.ai.mcp']) {
      assert.equal(configuration.properties[setting]?.scope, 'application', setting);
    }
  });

  it('asks for no proposed API, which the newest code-server would not refuse', () => {
    assert.equal(manifestText.includes('enabledApiProposals'), false);
  });

  it('lets no workspace say where a key goes', () => {
    assert.equal(configuration.properties['managedAgents.connections']?.scope, 'application');
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    for (const setting of ['managedAgents.connection', 'managedAgents.rules', 'managedAgents.estimate.prices']) {
      assert.ok(restrictedConfigurations.includes(setting), setting);
    }
  });

  it('types against the oldest VS Code it supports, and has at most twelve runtime dependencies', () => {
    assert.equal(`^${manifest.devDependencies['@types/vscode']}`, manifest.engines.vscode);
    assert.ok(Object.keys(manifest.dependencies).length <= 12);
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      assert.match(version, /^(?:npm:\S+@)?\d+\.\d+\.\d+$/, `${name} has no exact version`);
    }
  });
});

type Context = Readonly<Record<string, string | boolean>>;

/** Whether a when clause without parentheses is met, as VS Code reads it: `||` binds least, then `&&`. */
function isMet(clause: string, context: Context): boolean {
  return clause === '' || clause.split('||').some(any => any.split('&&').every(term => isTermMet(term.trim(), context)));
}

function isTermMet(term: string, context: Context): boolean {
  const [, key = '', operator = '', value = ''] = /^(\S+)(?: (==|!=|=~) (.+))?$/.exec(term) ?? assert.fail(term);
  const found = context[key.replace(/^!/, '')];
  if (operator === '=~') {
    return new RegExp(value.slice(1, -1)).test(String(found ?? ''));
  }
  if (operator !== '') {
    return (String(found) === value) === (operator === '==');
  }
  return key === 'false' ? false : key.startsWith('!') !== Boolean(found);
}

/** The keys of an interface in contributions.ts, sorted. */
function keysOf(name: string): string[] {
  const body = new RegExp(`export interface ${name} \\{([\\s\\S]*?)\\n\\}`).exec(contributions)?.[1] ?? '';
  return [...body.matchAll(/^ {2}'([^']+)':/gm)].map(([, key = '']) => key).sort();
}
