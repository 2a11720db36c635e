import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
  };
}

const { commands, menus } = (JSON.parse(readFileSync('package.json', 'utf8')) as Manifest).contributes;
const texts = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Record<string, string>;

/** Clauses that are true while a request file is the active editor and no view is open. */
const holds: ReadonlySet<string> = new Set(['managedAgents.requestFile', 'resourceExtname == .jsonl']);

/** Returns the commands in the palette for a query, ordered by label. VS Code orders commands this way until one is used. */
function found(query: string): readonly string[] {
  const clauses = new Map(menus.commandPalette.map(({ command, when }) => [command, when]));
  return commands
    .filter(
      ({ command }) =>
        clauses
          .get(command)
          ?.split(' || ')
          .some(clause => holds.has(clause)) ?? true,
    )
    .map(({ command, title }) => ({ command, label: `Managed Agents: ${texts[title.slice(1, -1)]}` }))
    .filter(({ label }) => matches(query, label))
    .sort((a, b) => a.label.localeCompare(b.label))
    .map(({ command }) => command.slice('managedAgents.'.length));
}

/** Returns whether VS Code shows a label for a query. The query is a substring, or has the starts of words in order. */
function matches(query: string, label: string): boolean {
  if (label.toLowerCase().includes(query)) {
    return true;
  }
  let words = label.toLowerCase().split(/[^a-z]+/);
  return query.split(' ').every(part => {
    const at = words.findIndex(word => word.startsWith(part));
    words = words.slice(at + 1);
    return at >= 0;
  });
}

describe('project/palette', () => {
  for (const [query, ...expected] of [
    ['batch', 'batch.create'],
    ['send', 'batch.create'],
    ['create batch', 'batch.create'],
    ['cost', 'file.check', 'batch.create'],
    ['price', 'file.check', 'batch.create'],
    ['validate', 'file.check', 'batch.create'],
    ['csv', 'file.build'],
    ['retry', 'retry.plan'],
    ['results', 'results.show'],
    ['new request', 'request.create'],
    ['arrange', 'file.arrange'],
    ['approve', 'inbox.open'],
    ['answer', 'inbox.open', 'answer.open'],
  ] as const) {
    it(`lists the intended command first for "${query}"`, () => {
      const all = found(query);
      assert.ok(
        expected.some(command => command === all[0]),
        all.join(', '),
      );
    });
  }
});
