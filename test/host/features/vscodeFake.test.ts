import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as vscode from 'vscode';
import * as helper from '../../helpers/vscode';

type Api = Omit<typeof helper, 'settings' | 'setVersion'>;
/** The fake with the types of the real API. */
const fake: Pick<typeof vscode, keyof Api> = helper;
type Fake = typeof fake;

/** Returns the result of `act`, or a marker if `act` throws. */
function orThrows(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return `throws ${(error as Error).name}`;
  }
}

const describeUri = (make: () => vscode.Uri) =>
  orThrows(() => {
    const uri = make();
    const json = JSON.stringify(uri);
    const { scheme, authority, path, query, fragment, fsPath } = uri;
    return { scheme, authority, path, query, fragment, fsPath, text: uri.toString(), readable: uri.toString(true), ...JSON.parse(json) };
  });

const addresses = [
  ...['', 'a', '/a/b', '//', '//a/b', '::', ':', '%', '#', '?', '\n', 'a b:c', '1:x', 'x:', 'x://a', 'x:////', 'mailto:a@b'],
  ...['file:///a b/ü.txt', 'file://Server/share/x', 'file:///C:/X', 'file:///c%3A/x', 'file:a', 'file:///a%2Fb', 'file:///%E2%82/%zz/%e4%'],
  ...[
    'HTTP://x',
    'http://u:p@Host.Example:80/a?b=c#d',
    'http://[::1]:8080/',
    'https://x?y',
    'x://u@h/',
    'x://u:p:q@H:8/',
    'x://@h:/',
    'x://a%40b/',
  ],
  ...[
    'untitled:Untitled-1',
    'a:b?c%20d#e%23f',
    'x:/a#b#c',
    'x:/a?b?c=d&e=%26',
    "x:/(a)'b'!*[c];,@$",
    'data:text/plain;base64,SGk=',
    'x:/a\nb#c\nd',
  ],
  'vscode://managed-agents.managed-agents/batch/b?host=a.example%3A1&custom_id=%2520',
];

/** Behaviours that are the same in the fake and in the real API. */
const behaviours: Readonly<Record<string, (api: Fake) => unknown>> = {
  'Uri.parse': ({ Uri }) => addresses.flatMap(text => [describeUri(() => Uri.parse(text)), describeUri(() => Uri.parse(text, true))]),

  'Uri.file': ({ Uri }) =>
    ['', 'a', '/', '/a/b', '/a b#?%25', '//server', '//server/share/x', '///a', 'C:\\x', 'c:/x', '/C:/x', '/ü/\u2028'].map(file =>
      describeUri(() => Uri.file(file)),
    ),

  'Uri.joinPath': ({ Uri }) =>
    [
      ['file:///a/b', '..', 'c'],
      ['file://s/a', '../..', 'x y'],
      ['x:/a/', 'b//c', './d'],
      ['x:/a?b#c', '/d'],
      ['x:/a'],
      ['x:', 'a'],
      ['x:a', '..', '..', 'b'],
    ].map(([base = '', ...segments]) => describeUri(() => Uri.joinPath(Uri.parse(base), ...segments))),

  'Uri.from': ({ Uri }) =>
    [
      { scheme: 'x' },
      { scheme: '' },
      { scheme: 'file', path: 'a' },
      { scheme: 'x', path: '//a' },
      { scheme: 'x', authority: 'a', path: 'b' },
      { scheme: 'x y' },
      { scheme: 'unix', authority: '', path: '/run/a.sock', fragment: '/mcp', query: 'a=b c' },
    ].map(parts => describeUri(() => Uri.from(parts))),

  'Uri.with': ({ Uri }) => {
    const uri = Uri.parse('x://a/b?c#d');
    const changes = [{ scheme: 'y' }, { authority: '' }, { path: 'z' }, { path: '' }, { query: '', fragment: '' }, { fragment: 'L1,2' }];
    const none = { query: null, fragment: undefined } as unknown as { query: string };
    return [
      ...[...changes, none, { authority: '', path: '//x' }].map(change => describeUri(() => uri.with(change))),
      ...[uri.with({}), uri.with({ path: '/b', query: 'c' })].map(same => same === uri),
      uri instanceof Uri,
    ];
  },

  Disposable: ({ Disposable }) => {
    const disposed: string[] = [];
    const of = (name: string) => new Disposable(() => disposed.push(name));
    const one = of('one');
    const all = Disposable.from(one, { dispose: () => disposed.push('two') }, of('three'));
    for (const disposable of [one, one, all, all]) {
      disposable.dispose();
    }
    return [disposed, all instanceof Disposable];
  },

  'EventEmitter: listeners': ({ EventEmitter }) => {
    const heard: string[] = [];
    const emitter = new EventEmitter<string>();
    const disposables: vscode.Disposable[] = [];
    const listener = function (this: unknown, value: string) {
      heard.push(`${this} ${value}`);
    };
    emitter.event(listener, 'first', disposables);
    const second = emitter.event(listener, 'second');
    emitter.event(listener, 'second', disposables);
    emitter.fire('a');
    second.dispose();
    second.dispose();
    emitter.fire('b');
    const counts = [disposables.length];
    emitter.dispose();
    emitter.fire('c');
    emitter.event(listener, 'late', disposables);
    emitter.fire('d');
    return [heard, ...counts, disposables.every(({ dispose }) => typeof dispose === 'function')];
  },

  'EventEmitter: changes while an event is delivered': ({ EventEmitter }) => {
    const heard: string[] = [];
    const emitter = new EventEmitter<number>();
    emitter.event(value => {
      heard.push(`first ${value}`);
      if (value === 1) {
        last.dispose();
        emitter.event(later => heard.push(`added ${later}`));
        emitter.fire(2);
      }
      heard.push(`end of ${value}`);
    });
    emitter.event(value => heard.push(`second ${value}`));
    const last = emitter.event(value => heard.push(`last ${value}`));
    emitter.fire(1);
    emitter.fire(3);
    return heard;
  },

  'EventEmitter: one listener that fires': ({ EventEmitter }) => {
    const heard: string[] = [];
    const emitter = new EventEmitter<number>();
    emitter.event(value => {
      heard.push(`begin ${value}`);
      if (value < 3) {
        emitter.fire(value + 1);
      }
      heard.push(`end ${value}`);
    });
    emitter.fire(1);
    return heard;
  },

  'EventEmitter: a listener that throws': ({ EventEmitter }) => {
    const heard: string[] = [];
    const emitter = new EventEmitter<string>();
    const { error } = console;
    // The real API also reports the error.
    console.error = () => undefined;
    try {
      emitter.event(() => {
        throw new Error('of a listener in a test');
      });
      emitter.event(value => heard.push(value));
      emitter.fire('a');
    } finally {
      console.error = error;
    }
    return heard;
  },

  CancellationTokenSource: async ({ CancellationTokenSource }) => {
    const heard: string[] = [];
    const source = new CancellationTokenSource();
    const { token } = source;
    token.onCancellationRequested(value => heard.push(`early ${value}`));
    token.onCancellationRequested(() => heard.push('disposed')).dispose();
    const states = [token.isCancellationRequested, source.token === token];
    source.cancel();
    source.cancel();
    token.onCancellationRequested(value => heard.push(`late ${value}`));
    token.onCancellationRequested(() => heard.push('disposed, too')).dispose();
    states.push(token.isCancellationRequested);
    const atOnce = [...heard];
    await new Promise(resolve => token.onCancellationRequested(resolve));
    const other = new CancellationTokenSource();
    other.token.onCancellationRequested(() => heard.push('after the end'));
    other.dispose();
    other.cancel();
    return [states, atOnce, heard, other.token.isCancellationRequested];
  },

  CancellationError: ({ CancellationError }) => {
    const error = new CancellationError();
    return [error.name, error.message, error instanceof Error, error instanceof CancellationError];
  },

  FileSystemError: ({ FileSystemError, Uri }) => {
    const { FileNotFound, FileExists, FileNotADirectory, FileIsADirectory, NoPermissions, Unavailable } = FileSystemError;
    const makers = [FileNotFound, FileExists, FileNotADirectory, FileIsADirectory, NoPermissions, Unavailable];
    const errors = makers.flatMap(make => [make(), make('words'), make(Uri.parse('x:/a%20b'))]);
    return [...errors, new FileSystemError('words')].map(error => {
      const { name, message, code } = error;
      return [name, message, code, error instanceof Error, error instanceof FileSystemError];
    });
  },

  'ThemeIcon and ThemeColor': ({ ThemeIcon, ThemeColor }) => {
    const color = new ThemeColor('errorForeground');
    return [color, new ThemeIcon('x'), new ThemeIcon('x', color), ThemeIcon.File, ThemeIcon.Folder].map(one => JSON.stringify(one));
  },

  DiagnosticSeverity: ({ DiagnosticSeverity: all }) => [all.Error, all.Warning, all.Information, all.Hint],

  TreeItem: ({ TreeItem, TreeItemCollapsibleState, Uri }) =>
    [
      new TreeItem('label'),
      new TreeItem({ label: 'label', highlights: [[0, 1]] }, TreeItemCollapsibleState.Expanded),
      new TreeItem(Uri.parse('x:/a'), TreeItemCollapsibleState.Collapsed),
    ].map(item => [Object.keys(item).sort(), item.label, item.resourceUri?.toString(), item.collapsibleState]),

  DataTransfer: async ({ DataTransfer, DataTransferItem }) => {
    const data = new DataTransfer();
    data.set('Text/Plain', new DataTransferItem('before'));
    data.set('text/plain', new DataTransferItem('text'));
    data.set('application/json', new DataTransferItem({ a: 1 }));
    const seen: unknown[] = [];
    data.forEach((item, mimeType, of) => void seen.push([mimeType, item.value, of === data]));
    const texts = [...data].map(async ([mimeType, item]) => [mimeType, await item.asString(), item.asFile()]);
    return [seen, await Promise.all(texts), await data.get('TEXT/plain')?.asString(), data.get('image/png')];
  },

  'parts and errors of language models': ({ LanguageModelTextPart, LanguageModelError }) => [
    new LanguageModelTextPart('text').value,
    ...[LanguageModelError.NotFound('a'), LanguageModelError.NoPermissions(), LanguageModelError.Blocked('c')].map(error => {
      const { name, message, code } = error;
      return [name, message, code, error instanceof Error, error instanceof LanguageModelError];
    }),
  ],

  'l10n.t': ({ l10n: { t } }) => [
    ...[
      t('plain'),
      t('{0}, {1}, {0}', 'a', 2),
      t('{0} {1}', 'a'),
      t('{0}{1}{2}', 0, false, ''),
      t('{0}', '$& {1}'),
      t('{a} {0} {} {', 'b'),
    ],
    ...[t('{name} of {of}', { name: 'a', of: 1 }), t('{name} {other}', { name: '{other}' })],
    t({ message: '{0} and {1}', args: ['a', 'b'], comment: '' }),
    t({ message: '{name} {0}', args: { name: 'a' }, comment: ['c'] }),
    t({ message: 'no {0}', comment: '' }),
  ],

  'the clipboard': async ({ env: { clipboard } }) => {
    await clipboard.writeText('of a test\r\n');
    return await clipboard.readText();
  },

  'window.withProgress': async ({ window }) => {
    const location = { viewId: 'explorer' };
    const error = new Error('of the task');
    const run = (task: () => Promise<unknown>) =>
      window.withProgress({ location }, async (progress, token) => {
        progress.report({ message: 'under way' });
        return [token?.isCancellationRequested, await task()];
      });
    return [
      await run(async () => 'done'),
      await run(() => Promise.reject(error)).then(
        () => 'done',
        reason => reason === error,
      ),
    ];
  },

  'window.setStatusBarMessage': ({ window }) => typeof window.setStatusBarMessage('of a test', 1).dispose,

  'trust and lists': ({ window, workspace }) => [
    ...[workspace.isTrusted, Array.isArray(workspace.textDocuments), Array.isArray(window.tabGroups.all)],
  ],

  'sections of settings': ({ workspace: { getConfiguration } }) =>
    ['managedAgents', 'managedAgents.ai'].map(
      section =>
        getConfiguration(section).get('managedAgents.ai.tools'.slice(section.length + 1)) ===
        getConfiguration().get('managedAgents.ai.tools'),
    ),
};

describe('the fake of the VS Code API', () => {
  for (const [name, behaviour] of Object.entries(behaviours)) {
    it(`behaves like the real one: ${name}`, async () => assert.deepEqual(await behaviour(fake), await behaviour(vscode)));
  }

  it('parses and prints any URI like the real one', () => {
    const piece = fc.oneof(
      fc.constantFrom(':', '/', '//', '?', '#', '%', '%2', '%41', '%C3%A9', '@', '[', ' ', 'x', 'X', 'é', '😀'),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.array(piece).map(pieces => pieces.join('')),
        text => {
          assert.deepEqual(
            describeUri(() => fake.Uri.parse(text)),
            describeUri(() => vscode.Uri.parse(text)),
          );
          assert.deepEqual(
            describeUri(() => fake.Uri.file(text)),
            describeUri(() => vscode.Uri.file(text)),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('has the defaults of our settings', () => {
    const names = Object.keys(helper.settings);
    assert.ok(names.includes('managedAgents.ai.tools'));
    assert.deepEqual(
      names.map(name => [name, JSON.stringify(fake.workspace.getConfiguration().get(name))]),
      names.map(name => [name, JSON.stringify(vscode.workspace.getConfiguration().inspect(name)?.defaultValue)]),
    );
  });

  it('has the values of the real enums', () => {
    const enums = Object.entries(fake).filter(([name, value]) => /^[A-Z]/.test(name) && Object.values(value).some(Number.isInteger));
    assert.ok(enums.length > 5);
    for (const [name, values] of enums) {
      const real = Reflect.get(vscode, name) as Readonly<Record<string, unknown>>;
      assert.deepEqual(values, Object.fromEntries(Object.keys(values).map(key => [key, real[key]])), name);
    }
  });

  it("has nothing that the real API doesn't have", () => {
    const { settings: _settings, setVersion: _setVersion, ...api } = helper;
    assert.deepEqual(
      Object.keys(api).filter(name => !(name in vscode)),
      [],
    );
    for (const name of ['commands', 'env', 'l10n', 'languages', 'window', 'workspace'] as const) {
      const real = Reflect.get(vscode, name) as Readonly<Record<string, unknown>>;
      const own = Object.entries(fake[name]).filter(([, value]) => value !== undefined);
      assert.deepEqual(
        own.map(([key, value]) => [key, typeof value]),
        own.map(([key]) => [key, typeof real[key]]),
        name,
      );
    }
  });
});
