import assert from 'node:assert/strict';
import { type Import, readSources, type SourceFile } from './sourceFile';

const sources = readSources();

/** Rooms that run anywhere. */
const hostFree = ['contract', 'client', 'jsonl', 'shared', 'emulator', 'webview'];

/** What each room may import of other rooms: a room, or the start of a path in one. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  // What the service's document says of requests is below all others.
  contract: [],
  client: ['contract', 'shared'],
  jsonl: ['contract', 'shared'],
  // One truth about the wire: its schemas serve both sides.
  emulator: ['client/schemas/', 'client/dialect', 'contract', 'jsonl', 'shared'],
  shared: [],
  webview: ['shared'],
  common: ['contributions', 'contract', 'client', 'jsonl', 'shared'],
  // What other extensions may use is a promise by itself.
  api: [],
  features: ['api', 'contributions', 'common', 'contract', 'client', 'jsonl', 'shared'],
  contributions: ['commandArguments', 'contextKeyValues', 'settingValues', 'views'],
  commandArguments: [],
  contextKeyValues: [],
  settingValues: [],
  extension: ['api', 'contributions', 'common', 'features', 'client', 'jsonl'],
};

/** Types that a room may know of another, beyond what it may import. */
const mayKnowTypesOf: Readonly<Record<string, readonly string[]>> = {
  features: ['emulator/'],
};

/** Files that may load a room they may not import, and only when asked for. */
const mayLoad: Readonly<Record<string, readonly string[]>> = { features: ['emulator/'] };

describe('project/architecture', () => {
  it('finds the sources', () => {
    assert.ok(sources.size > 30);
    assert.ok(sources.has('extension') && sources.has('jsonl/wasm/requestScan') && sources.has('webview/session/sessionApp'));
    assert.ok([...sources.values()].some(source => source.imports.some(({ kind }) => kind === 'dynamic')));
  });

  it('lets each room import only what it may', () => {
    assertNone(({ path, imports }) =>
      imports.filter(({ target, kind }) => {
        const room = roomOf(path);
        if (!sources.has(target) || roomOf(target) === room) {
          return false;
        }
        const allowed = [
          ...(mayImport[room] ?? []),
          ...(kind === 'type' ? (mayKnowTypesOf[room] ?? []) : []),
          ...(kind === 'dynamic' ? (mayLoad[room] ?? []) : []),
        ];
        return !allowed.some(start => target === start || target.startsWith(start.endsWith('/') ? start : `${start}/`));
      }),
    );
  });

  it('keeps VS Code out of the rooms that run anywhere', () => {
    assertNone(({ path, imports }) => (hostFree.includes(roomOf(path)) ? imports.filter(({ target }) => target === 'vscode') : []));
  });

  it('keeps VS Code out of stores, presentations and messages at run time', () => {
    assertNone(({ path, imports }) =>
      /(?:Store|Presentation|Messages)$/.test(path) ? imports.filter(({ target, kind }) => target === 'vscode' && kind !== 'type') : [],
    );
  });

  it('lets a feature reach another only through its index', () => {
    assertNone(({ path, imports }) =>
      imports.filter(
        ({ target }) =>
          roomOf(path) === 'features' &&
          roomOf(target) === 'features' &&
          featureOf(path) !== featureOf(target) &&
          !target.endsWith('/index'),
      ),
    );
  });

  it('loads heavy modules only where they belong', () => {
    assertNone(({ path, imports }) => imports.filter(({ target }) => target === 'undici' && !path.startsWith('client/')));
    assertNone(({ path, imports }) =>
      imports.filter(
        ({ target, kind }) => target === 'zod' && kind !== 'type' && !/^(?:contract|client\/schemas|emulator|features|shared)\//.test(path),
      ),
    );
  });

  it('takes of zod only what it uses: its one namespace as a value brings all languages along', () => {
    const whole = [...sources.values()].filter(({ text }) => /\bimport (?!type\b|\* as)[^;]*from 'zod'/.test(text));
    assert.deepEqual(
      whole.map(({ path }) => path),
      [],
    );
  });

  it('lets browser code use four libraries and no other', () => {
    assertNone(({ path, imports }) =>
      roomOf(path) === 'webview'
        ? imports.filter(
            ({ target }) =>
              !sources.has(target) &&
              !/^(?:preact(?:\/hooks)?|markdown-it|node-diff3|highlight\.js\/lib\/.+)$/.test(target) &&
              !/\.css\/index$/.test(target),
          )
        : [],
    );
  });

  it('has no ring of imports', () => {
    assert.deepEqual(
      ringsOf(({ kind }) => kind !== 'type').filter(ring => ring.length > 1),
      [],
    );
  });

  it('has no ring of more than three files, types counted', () => {
    assert.deepEqual(
      ringsOf(({ kind }) => kind !== 'dynamic').filter(ring => ring.length > 3),
      [],
    );
  });

  for (const [what, pattern, allowed] of [
    ['commands', /\bregisterCommand\b/, 'common/commands'],
    ['context keys', /['"]setContext['"]/, 'common/contextKeys'],
    ['formats of a locale', /\bnew Intl\.|\.toLocale(?:Date|Time)?String\(/, 'shared/formats'],
  ] as const) {
    it(`makes ${what} in one file`, () => {
      const users = [...sources.values()].filter(({ text }) => pattern.test(text)).map(({ path }) => path);
      assert.deepEqual(users, [allowed]);
    });
  }

  it('reaches services by one rule, and refuses what is not trusted in one place', () => {
    const users = (pattern: RegExp) =>
      [...sources.values()]
        .filter(({ path, text }) => /^features\/(?!connection\/)/.test(path) && pattern.test(withoutComments(text)))
        .map(({ path }) => path);
    assert.deepEqual(users(/\bconnections\??\.client\(|\bcreateServiceClient\b/), []);
    assert.deepEqual(
      users(/\brefuseUntrusted\(/),
      ['batches/batchCommands', 'resources/service'].map(path => `features/${path}`),
    );
  });

  it('shows notifications in one file, where no text of others becomes a link', () => {
    const users = [...sources.values()].filter(({ text }) =>
      // Dialogs make no links.
      [...text.matchAll(/\bshow(?:Information|Warning|Error)Message\b/g)].some(
        ({ index }) => !text.slice(index, index + 400).includes('modal: true'),
      ),
    );
    assert.deepEqual(
      users.map(({ path }) => path),
      ['common/asking/notifications'],
    );
  });

  for (const [what, pattern] of [
    ['the type any', /(?::|\bas|<|\|)\s*any\b(?!\w)/],
    [
      'innerHTML',
      /\b(?:inner|outer)HTML\b|\bdangerouslySetInnerHTML\b|\bDOMParser\b|\bcreateContextualFragment\b|\binsertAdjacentHTML\b|\bdocument\.write\b/,
    ],
    ['eval', /\beval\(|\bnew Function\(/],
    ['switched-off checks', /@ts-(?:ignore|nocheck|expect-error)/],
    ['mutable exports', /^export let\b/m],
    ['singletons', /\bgetInstance\b/],
  ] as const) {
    it(`has no ${what}`, () => {
      const users = [...sources.values()].filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path);
      assert.deepEqual(users, []);
    });
  }

  it('gives a reason wherever the linter is told to look away', () => {
    const bare = [...sources.values()].filter(({ text }) => /biome-ignore[^:\n]*(?::\s*)?$/m.test(text)).map(({ path }) => path);
    assert.deepEqual(bare, []);
  });

  it('names files for what they export', () => {
    const vague = [...sources.keys()].filter(
      path => /(?:^|\/)(?:utils?|helpers?|types?|misc|[a-zA-Z]*Manager)$/.test(path) || !/^[a-z][a-zA-Z0-9/]*$/.test(path),
    );
    assert.deepEqual(vague, []);
  });

  it('gives every file a base name of its own, but for what a group of the service is on each side of the wire', () => {
    const sides = /^(?:client\/(?:resources|schemas)|emulator\/(?:kinds|routes)|features\/resources\/kinds)\/[a-zA-Z]+$/;
    const named = pathsBy(path => path.slice(path.lastIndexOf('/') + 1));
    named.delete('index');
    assert.deepEqual(
      [...named.values()].filter(paths => paths.length > 1 && paths.some(path => !sides.test(path))),
      [],
    );
  });

  it('has no folder with more than 23 files side by side', () => {
    const folders = pathsBy(path => path.slice(0, path.lastIndexOf('/')));
    assert.deepEqual(
      [...folders].filter(([, paths]) => paths.length > 23).map(([folder]) => folder),
      [],
    );
  });

  it('keeps files short', () => {
    const lengths = [...sources.values()].map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
    assert.deepEqual(
      lengths.filter(({ lines }) => lines > 300).map(({ path }) => path),
      [],
    );
    assert.ok((lengths.find(({ path }) => path === 'extension')?.lines ?? 0) <= 120);
  });
});

/** Files that reach each other over such imports, as sorted lists (Tarjan's strongly connected components). */
function ringsOf(counts: (imported: Import) => boolean): readonly (readonly string[])[] {
  const rings: string[][] = [];
  const order = new Map<string, number>();
  const least = new Map<string, number>();
  const open: string[] = [];
  const visit = (path: string): number => {
    const mine = order.size;
    order.set(path, mine);
    least.set(path, mine);
    open.push(path);
    for (const imported of sources.get(path)?.imports ?? []) {
      if (counts(imported) && sources.has(imported.target)) {
        const other = order.has(imported.target) ? order.get(imported.target) : visit(imported.target);
        if (open.includes(imported.target)) {
          least.set(path, Math.min(least.get(path) ?? mine, least.get(imported.target) ?? mine, other ?? mine));
        }
      }
    }
    if (least.get(path) === mine) {
      rings.push(open.splice(open.indexOf(path)).sort());
    }
    return least.get(path) ?? mine;
  };
  for (const path of sources.keys()) {
    if (!order.has(path)) {
      visit(path);
    }
  }
  return rings;
}

/** The paths of all sources, by something they have in common. */
function pathsBy(keyOf: (path: string) => string): Map<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (const path of sources.keys()) {
    groups.set(keyOf(path), [...(groups.get(keyOf(path)) ?? []), path]);
  }
  return groups;
}

function roomOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function featureOf(path: string): string | undefined {
  return path.split('/')[1];
}

function assertNone(find: (source: SourceFile) => readonly Import[]): void {
  const found = [...sources.values()].flatMap(source => find(source).map(({ target, kind }) => `${source.path} -> ${target} (${kind})`));
  assert.deepEqual(found, []);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
