// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A request file that is open while the extension is activated. */
const requestDocument = {
  uri: { scheme: 'file', path: '/requests.jsonl', fsPath: '/requests.jsonl', toString: () => 'file:///requests.jsonl' },
  languageId: 'jsonl',
  isClosed: false,
  lineCount: 1,
  lineAt: () => ({ text: '{"custom_id":"a","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}]}}' }),
};

/**
 * Activates a built extension in this process, with a request file open, against a VS Code that only takes what it is told.
 * @param {string} folder holds the manifest and `dist`; what is written there is another copy of the entry
 * @returns {Promise<{ readonly whileWaitedFor: readonly string[], readonly afterwards: readonly string[], readonly questions: readonly string[] }>}
 * the files that were loaded before `activate` gave its answer and right after, and which settings were read before
 */
export async function activateAlone(folder) {
  const chunks = path.join(folder, 'dist/chunks');
  /** @type {string[]} */
  const loaded = [];
  /** @type {string[]} */
  const questions = [];
  const name = `activated-${process.pid}`;
  const code = readFileSync(path.join(chunks, 'core-extension.js'), 'utf8');
  const aliases = [...code.matchAll(/import\s*\*\s*as\s+([\w$]+)\s+from\s*"vscode"/g)].map(([, alias]) => alias ?? '');
  const names = aliases.flatMap(alias =>
    [...code.matchAll(new RegExp(`(?<![\\w$])${alias.replaceAll('$', '\\$')}\\.(\\w+)`, 'g'))].map(([, used]) => used),
  );
  const stub = createStub(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')), questions);
  const load = (/** @type {string} */ file) => {
    loaded.push(file);
    return new Promise(() => {});
  };
  Object.assign(globalThis, { [name]: { vscode: stub, load } });
  writeFileSync(
    path.join(chunks, `${name}-vscode.js`),
    [...new Set(names)].map(used => `export const ${used} = globalThis[${JSON.stringify(name)}].vscode.${used};`).join('\n'),
  );
  const entry = path.join(chunks, `${name}.js`);
  writeFileSync(
    entry,
    code
      .replace(/from\s*"vscode"/g, `from"./${name}-vscode.js"`)
      .replace(/(?<![\w$])import\("/g, `globalThis[${JSON.stringify(name)}].load("`),
  );
  const { activate } = await import(pathToFileURL(entry).href);
  const context = createContext(folder, stub);
  activate(context);
  const whileWaitedFor = [...loaded];
  const askedWhileWaitedFor = [...questions];
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)));
  for (const disposable of context.subscriptions) {
    disposable.dispose?.();
  }
  return { whileWaitedFor, afterwards: loaded.slice(whileWaitedFor.length), questions: askedWhileWaitedFor };
}

/**
 * @param {any} manifest
 * @param {string[]} questions
 * @returns {any}
 */
function createStub(manifest, questions) {
  const settings = Object.assign({}, ...[manifest.contributes.configuration].flat().map(({ properties }) => properties));
  const ask = (/** @type {string} */ key) => {
    questions.push(key);
    return settings[key];
  };
  /** @type {Record<string, unknown>} */
  const known = {
    textDocuments: [requestDocument],
    getConfiguration: () => ({
      get: (/** @type {string} */ key) => ask(key)?.default,
      inspect: (/** @type {string} */ key) => ({ defaultValue: ask(key)?.default }),
    }),
    activeTextEditor: undefined,
    // biome-ignore lint/suspicious/noThenProperty: what is awaited must not be taken for a promise.
    then: undefined,
    language: 'en',
    t: (/** @type {unknown} */ text) => String(text),
    [Symbol.toPrimitive]: () => 'stub',
  };
  /** @type {any} */
  const stub = new Proxy(function taken() {}, {
    get: (_, key) => (Object.hasOwn(known, key) ? known[/** @type {string} */ (key)] : stub),
    apply: () => stub,
    construct: () => stub,
    set: () => true,
  });
  return stub;
}

/**
 * @param {string} folder
 * @param {any} stub
 */
function createContext(folder, stub) {
  const packageJSON = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const state = { get: (/** @type {string} */ _, /** @type {unknown} */ otherwise) => otherwise, update: async () => {}, keys: () => [] };
  const uri = { fsPath: folder, path: folder, scheme: 'file' };
  return {
    subscriptions: /** @type {{ dispose?: () => void }[]} */ ([]),
    extension: { packageJSON, id: 'managed-agents.managed-agents' },
    extensionUri: uri,
    globalStorageUri: uri,
    storageUri: undefined,
    globalState: state,
    workspaceState: state,
    secrets: stub,
    asAbsolutePath: (/** @type {string} */ relative) => path.join(folder, relative),
  };
}
