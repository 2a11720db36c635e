// @ts-check
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** A request file that is open while the extension is activated. */
const requestDocument = {
  uri: { scheme: 'file', path: '/requests.jsonl', fsPath: '/requests.jsonl', toString: () => 'file:///requests.jsonl' },
  languageId: 'jsonl',
  isClosed: false,
  lineCount: 1,
  lineAt: () => ({ text: '{"custom_id":"a","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}]}}' }),
};

/**
 * Activates a built extension in this process, with a request file open, against a stub of VS Code.
 * @param {string} folder holds the manifest and `dist`
 * @param {string} [missing] API that the stub does not have: `lm` or `lm.registerTool`
 * @returns {Promise<Activation>}
 *
 * @typedef {object} Activation
 * @property {readonly string[]} whileWaitedFor files loaded before `activate` returned
 * @property {readonly string[]} afterwards files loaded right after `activate` returned
 * @property {readonly string[]} questions settings read before `activate` returned
 * @property {readonly string[]} warnings written to the log
 * @property {readonly string[]} registered calls of `register...` and `create...`
 */
export async function activateAlone(folder, missing) {
  const entry = path.join(folder, 'dist/extension.cjs');
  /** @type {string[]} */
  const loaded = [];
  /** @type {Calls} */
  const calls = { questions: [], warnings: [], registered: [] };
  const packageJSON = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const stub = createStub(packageJSON, calls, missing);
  const requireBuiltin = createRequire(entry);
  // The bundle copies the properties of `vscode` into an object with the same prototype, so the stub's members are in the prototype.
  const vscode = Object.create(new Proxy({}, { get: (_, key) => stub[key] }));
  // biome-ignore lint/suspicious/noThenProperty: code that awaits `pending` must wait forever.
  const pending = Object.create({ then: () => {} });
  let isStarted = false;
  /** @type {(file: string) => any} */
  const load = file => {
    /** @type {{ exports: any }} */
    const module = { exports: {} };
    const require = (/** @type {string} */ name) => {
      if (name === 'vscode') {
        return vscode;
      }
      if (!name.startsWith('.')) {
        return requireBuiltin(name);
      }
      if (!isStarted) {
        return load(path.resolve(path.dirname(file), name));
      }
      loaded.push(name);
      return pending;
    };
    new Function('require', 'module', 'exports', readFileSync(file, 'utf8'))(require, module, module.exports);
    return module.exports;
  };
  const { activate } = load(entry);
  const context = createContext(folder, packageJSON, stub);
  isStarted = true;
  activate(context);
  const whileWaitedFor = [...loaded];
  const questions = [...calls.questions];
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)));
  for (const disposable of context.subscriptions) {
    disposable.dispose?.();
  }
  return { ...calls, questions, whileWaitedFor, afterwards: loaded.slice(whileWaitedFor.length) };
}

/**
 * @typedef {object} Calls
 * @property {string[]} questions
 * @property {string[]} warnings
 * @property {string[]} registered
 */

/**
 * @param {any} manifest
 * @param {Calls} calls
 * @param {string} [missing]
 * @returns {any}
 */
function createStub(manifest, calls, missing) {
  const settings = Object.assign({}, ...[manifest.contributes.configuration].flat().map(({ properties }) => properties));
  const ask = (/** @type {string} */ key) => {
    calls.questions.push(key);
    return settings[key];
  };
  /** @type {Record<string, unknown>} */
  const known = {
    textDocuments: [requestDocument],
    getConfiguration: () => ({
      get: (/** @type {string} */ key) => ask(key)?.default,
      inspect: (/** @type {string} */ key) => ({ defaultValue: ask(key)?.default }),
    }),
    createOutputChannel: () =>
      new Proxy(stub, { get: (_, level) => (/** @type {string} */ text) => level === 'warn' && calls.warnings.push(text) }),
    activeTextEditor: undefined,
    // biome-ignore lint/suspicious/noThenProperty: `await` must not take the stub for a promise.
    then: undefined,
    language: 'en',
    t: (/** @type {unknown} */ text) => String(text),
    [Symbol.toPrimitive]: () => 'stub',
  };
  /** @returns {any} */
  const createMember = (/** @type {string} */ name) =>
    new Proxy(function taken() {}, {
      get: (_, key) => {
        const member = `${name}${name && '.'}${String(key)}`;
        if (member === missing) {
          return undefined;
        }
        return Object.hasOwn(known, key) ? known[/** @type {string} */ (key)] : name === '' ? createMember(member) : calledAs(member);
      },
      apply: () => stub,
      construct: () => stub,
      set: () => true,
    });
  const calledAs = (/** @type {string} */ member) =>
    new Proxy(stub, {
      apply: () => {
        calls.registered.push(member);
        return stub;
      },
    });
  const stub = createMember('');
  return stub;
}

/**
 * @param {string} folder
 * @param {any} packageJSON
 * @param {any} stub
 */
function createContext(folder, packageJSON, stub) {
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
