import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import type { Metafile } from 'esbuild';

// Not bundled, because these modules find the project and its plugins relative to their own path.
const packing = pathToFileURL('test/helpers/packExtension.mjs').href;
const activating = pathToFileURL('test/helpers/activateAlone.mjs').href;

describe('the package @ci', () => {
  let folder: string;
  let metafile: Pick<Metafile, 'outputs'>;
  let entries: readonly string[];
  let vsix: string;
  let staticGraph: typeof import('../helpers/packExtension.mjs').staticGraph;

  before('package a copy of the project with things in it that must not ship', async () => {
    const { copyProject, packExtension, ...helpers } = (await import(packing)) as typeof import('../helpers/packExtension.mjs');
    ({ staticGraph } = helpers);
    mkdirSync('out', { recursive: true });
    folder = mkdtempSync(path.resolve('out/package-'));
    copyProject(folder);
    for (const name of ['node_modules/zod/index.js', 'out/x.js', '.vscode-test/x', '.env', 'notes.txt', 'dist/x.js.map']) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), 'not to be shipped');
    }
    ({ metafile, vsix } = await packExtension(folder));
    entries = entriesOf(readFileSync(vsix));
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('contains the bundles, media, docs, manifest and licence, and nothing else', () => {
    const allowed =
      /^(?:\[Content_Types\]\.xml|extension\.vsixmanifest|extension\/(?:package\.json|package\.nls(?:\.[\w-]+)?\.json|readme\.md|changelog\.md|SECURITY\.md|LICENSE\.txt|l10n\/[\w.-]+\.json|media\/[\w./-]+\.(?:svg|png|webp|md|json|jsonl|csv)|media\/schemas\/[\w.]+\.json|dist\/[\w./-]+\.(?:cjs|js|css)))$/;
    assert.deepEqual(
      entries.filter(entry => !allowed.test(entry)),
      [],
    );
    for (const entry of [
      'dist/extension.cjs',
      'dist/jsonlThread.js',
      'dist/emulatorThread.js',
      'dist/mcpBridge.js',
      'package.nls.json',
      'LICENSE.txt',
      'media/icon.png',
      'media/samples/bare-params.jsonl',
      'media/samples/questions.jsonl',
      'media/samples/reviews.batch-template.json',
      'media/samples/reviews.csv',
      'media/samples/with-problems.jsonl',
      'media/schemas/agent.schema.json',
      'media/skills/run-message-batch/SKILL.md',
      'media/prompts/batch-of-rows.prompt.md',
      'dist/webview/session.js',
    ]) {
      assert.ok(entries.includes(`extension/${entry}`), entry);
    }
    assert.equal(entries.includes('extension/dist/emulatorCli.js'), false);
  });

  it('is smaller than 3 MB', () => {
    assert.ok(statSync(vsix).size < 3_000_000, `${statSync(vsix).size} bytes`);
  });

  it('bundles one language of zod', () => {
    const locales = Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([input, { bytesInOutput }]) =>
        bytesInOutput > 0 && input.includes('/zod/v4/locales/') ? [input] : [],
      ),
    );
    assert.deepEqual([...new Set(locales)], ['node_modules/zod/v4/locales/en.js']);
  });

  it('keeps zod out of the webview bundles', () => {
    const webviews = Object.entries(metafile.outputs).filter(([name]) => name.includes('/webview/'));
    const inputs = webviews.flatMap(([, output]) => Object.keys(output.inputs));
    assert.ok(inputs.includes('src/webview/controls/startPanel.tsx'), inputs.join(' '));
    assert.deepEqual(
      inputs.filter(input => input.includes('node_modules/zod/')),
      [],
    );
  });

  it('has at most 65 files in dist', () => {
    const files = entries.filter(entry => entry.startsWith('extension/dist/'));
    assert.ok(files.length <= 65, `${files.length} files`);
  });

  it('loads nothing and reads no setting before VS Code has activated it, with a request file open', async () => {
    const { activateAlone } = (await import(activating)) as typeof import('../helpers/activateAlone.mjs');
    const { whileWaitedFor, afterwards, questions } = await activateAlone(folder);
    assert.deepEqual(whileWaitedFor, []);
    assert.deepEqual(questions, []);
    // The code for watching batches and for checking the open file loads right after the activation.
    assert.ok(
      ['requests', 'start'].every(part => afterwards.some(file => file.includes(`/${part}-`))),
      afterwards.join(' '),
    );
  });

  for (const [missing, lost] of [
    ['lm', ['lm.registerMcpServerDefinitionProvider', 'lm.registerTool', 'lm.registerLanguageModelChatProvider']],
    ['lm.registerTool'],
    ['lm.registerMcpServerDefinitionProvider'],
    ['lm.registerLanguageModelChatProvider'],
    ['tests', ['tests.createTestController', 'tests.createTestController']],
    ['chat', []],
  ] as const) {
    it(`activates in an editor without vscode.${missing}, and logs what doesn't work`, async () => {
      const { activateAlone } = (await import(activating)) as typeof import('../helpers/activateAlone.mjs');
      const whole = await activateAlone(folder);
      assert.deepEqual(whole.warnings, []);
      const { warnings, registered } = await activateAlone(folder, missing);
      const apis = warnings.map(warning => /^This editor does not have vscode\.([\w.]+): no .+\.$/.exec(warning)?.[1]);
      assert.deepEqual(apis.sort(), [...(lost ?? [missing])].sort());
      const isLost = (api: string) => (lost ?? [missing]).some(one => one === api);
      assert.deepEqual(
        registered.filter(api => api.startsWith('lm.')),
        whole.registered.filter(api => api.startsWith('lm.') && !isLost(api)),
      );
      assert.ok(registered.includes('commands.registerCommand') && registered.includes('window.createTreeView'));
    });
  }

  it('is CommonJS, because every extension host can load it', async () => {
    const { main } = JSON.parse(readFileSync('package.json', 'utf8'));
    assert.match(main, /\.cjs$/);
    for (const name of entries.filter(entry => entry.endsWith('.cjs'))) {
      const code = readFileSync(path.join(folder, name.replace('extension/', '')), 'utf8');
      assert.doesNotThrow(() => new Script(code), name);
      assert.doesNotMatch(code, /\bimport\s*\(|\bimport\.meta\b/, name);
    }
  });

  it('starts with at most 250 KB, free of undici, zod and the emulator', () => {
    const { bytes, inputs } = staticGraph(metafile, 'extension.cjs');
    assert.ok(bytes <= 250_000, `${bytes} bytes`);
    assert.ok(inputs.some(input => input.endsWith('src/extension.ts')));
    assert.deepEqual(
      inputs.filter(input => /node_modules\/(?:undici|zod)\/|src\/emulator\//.test(input)),
      [],
    );
  });

  it('loads only the entry points of models, links and other extensions at startup', () => {
    const { inputs } = staticGraph(metafile, 'extension.cjs');
    const begins = /src\/features\/(assistant|chatModels|diagnostics|extensionApi|links)\/(.*)\.ts$/;
    const atStart = inputs.flatMap(input => begins.exec(input)?.slice(1).join('/') ?? []);
    assert.deepEqual(atStart.sort(), [
      ...['assistant/index', 'assistant/mcp/mcpDefinitionProvider', 'assistant/readToolLevel', 'assistant/toolLevel'],
      ...['chatModels/index', 'diagnostics/index', 'extensionApi/index', 'extensionApi/knownBatch', 'links/index'],
    ]);
  });
});

/** Returns the names in the central directory of a ZIP file. */
function entriesOf(zip: Buffer): readonly string[] {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const names: string[] = [];
  let offset = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(offset + 28);
    names.push(zip.toString('utf8', offset + 46, offset + 46 + nameLength));
    offset += 46 + nameLength + zip.readUInt16LE(offset + 30) + zip.readUInt16LE(offset + 32);
  }
  return names.sort();
}
