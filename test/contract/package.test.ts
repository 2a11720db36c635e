import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createVSIX } from '@vscode/vsce';
import type { Metafile } from 'esbuild';

/** Large folders that are made again; small things stand for them in the copy. */
const generated = new Set(['.git', '.vscode-test', 'dist', 'node_modules', 'out']);

describe('the package', function () {
  this.timeout(60_000);
  let folder: string;
  let metafile: Metafile;
  let entries: readonly string[];
  const vsix = (): string => path.join(folder, 'extension.vsix');

  before('package a copy of the project with things in it that must not ship', async () => {
    mkdirSync('out', { recursive: true });
    folder = mkdtempSync(path.resolve('out/package-'));
    for (const name of readdirSync('.').filter(name => !generated.has(name))) {
      cpSync(name, path.join(folder, name), { recursive: true });
    }
    for (const name of ['node_modules/zod/index.js', 'out/x.js', '.vscode-test/x', '.env', 'notes.txt', 'dist/x.js.map']) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), 'not to be shipped');
    }
    dropBuildStep(path.join(folder, 'package.json'));
    // Loaded from its own place, not bundled: it finds its sources and plugins beside itself.
    const { buildExtension } = (await import(pathToFileURL('esbuild.mjs').href)) as typeof import('../../esbuild.mjs');
    const [node] = await buildExtension({ outdir: path.join(folder, 'dist'), logLevel: 'warning', metafile: true }, true);
    assert.ok(node?.metafile !== undefined);
    metafile = node.metafile;
    await createVSIX({
      cwd: folder,
      packagePath: vsix(),
      dependencies: false,
      rewriteRelativeLinks: false,
      allowMissingRepository: true,
      skipLicense: false,
    });
    entries = entriesOf(readFileSync(vsix()));
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('holds the bundles, the media, the docs, the manifest and the licence, and nothing else', () => {
    const allowed =
      /^(?:\[Content_Types\]\.xml|extension\.vsixmanifest|extension\/(?:package\.json|package\.nls(?:\.[\w-]+)?\.json|readme\.md|changelog\.md|SECURITY\.md|LICENSE\.txt|l10n\/[\w.-]+\.json|media\/[\w./-]+\.(?:svg|png|md|jsonl)|dist\/[\w./-]+\.(?:js|css|wasm)))$/;
    assert.deepEqual(
      entries.filter(entry => !allowed.test(entry)),
      [],
    );
    for (const entry of [
      'dist/extension.js',
      'dist/jsonlThread.js',
      'dist/emulatorThread.js',
      'package.nls.json',
      'LICENSE.txt',
      'media/icon.png',
      'media/samples/questions.jsonl',
    ]) {
      assert.ok(entries.includes(`extension/${entry}`), entry);
    }
    assert.equal(entries.includes('extension/dist/emulatorCli.js'), false);
  });

  it('is smaller than 1 MB', () => {
    assert.ok(statSync(vsix()).size < 1_000_000, `${statSync(vsix()).size} bytes`);
  });

  it('starts with at most 150 KB, free of undici, zod and the emulator', () => {
    const { bytes, inputs } = staticGraph(metafile, 'extension.js');
    assert.ok(bytes <= 150_000, `${bytes} bytes`);
    assert.ok(inputs.some(input => input.endsWith('src/extension.ts')));
    assert.deepEqual(
      inputs.filter(input => /node_modules\/(?:undici|zod)\/|src\/emulator\//.test(input)),
      [],
    );
  });
});

/** The bytes and the sources that loading one bundle loads at once. */
function staticGraph(metafile: Metafile, entry: string): { bytes: number; inputs: readonly string[] } {
  const start = Object.keys(metafile.outputs).find(name => name.endsWith(`/dist/${entry}`));
  assert.ok(start !== undefined);
  const seen = new Set<string>();
  const next = [start];
  let bytes = 0;
  const inputs: string[] = [];
  for (let name = next.pop(); name !== undefined; name = next.pop()) {
    const output = metafile.outputs[name];
    if (output === undefined || seen.has(name)) {
      continue;
    }
    seen.add(name);
    bytes += output.bytes;
    inputs.push(...Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])));
    next.push(...output.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path));
  }
  return { bytes, inputs };
}

/** The bundles are built by the test itself. */
function dropBuildStep(file: string): void {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { scripts: Record<string, string> };
  manifest.scripts = {};
  writeFileSync(file, JSON.stringify(manifest, null, 2));
}

/** Names in the central directory of a ZIP file. */
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
