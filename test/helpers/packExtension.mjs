// @ts-check
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVSIX } from '@vscode/vsce';
import { buildExtension } from '../../esbuild.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** Large generated folders. The copy has small substitutes for them. */
const generated = new Set(['.git', '.vscode-test', 'dist', 'node_modules', 'out']);

/**
 * Copies the project without generated files. Packaging the copy doesn't change the project.
 * @param {string} folder
 */
export function copyProject(folder) {
  for (const name of readdirSync(root).filter(name => !generated.has(name))) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  // The bundles are built by `packExtension` itself.
  const manifestFile = path.join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  manifest.scripts = {};
  writeFileSync(manifestFile, JSON.stringify(manifest, null, 2));
}

/**
 * Builds the extension as it ships in a copy of the project and packages it, as `npm run package` does.
 * @param {string} folder the copy
 * @returns {Promise<{ vsix: string, metafile: Pick<import('esbuild').Metafile, 'outputs'> }>} what was built
 */
export async function packExtension(folder) {
  const built = await buildExtension({ outdir: path.join(folder, 'dist'), absWorkingDir: root, logLevel: 'warning' }, true);
  const vsix = path.join(folder, 'extension.vsix');
  await createVSIX({
    cwd: folder,
    packagePath: vsix,
    dependencies: false,
    rewriteRelativeLinks: false,
    allowMissingRepository: true,
    skipLicense: false,
  });
  return { vsix, metafile: built };
}

/**
 * Returns the size and the sources of the files that a bundle loads at once, and the bundles that it imports dynamically.
 * @param {Pick<import('esbuild').Metafile, 'outputs'>} metafile
 * @param {string} entry file name of the bundle, `extension.cjs`
 */
export function staticGraph(metafile, entry) {
  const start = Object.keys(metafile.outputs).find(name => name.endsWith(`/dist/${entry}`));
  if (start === undefined) {
    throw new Error(`There is no bundle ${entry}.`);
  }
  return graphFrom(metafile, start);
}

/**
 * @param {Pick<import('esbuild').Metafile, 'outputs'>} metafile
 * @param {string} start
 */
export function graphFrom(metafile, start) {
  /** @type {Set<string>} */
  const outputs = new Set();
  /** @type {Set<string>} */
  const lazy = new Set();
  /** @type {string[]} */
  const inputs = [];
  const next = [start];
  let bytes = 0;
  for (let name = next.pop(); name !== undefined; name = next.pop()) {
    const output = metafile.outputs[name];
    if (output === undefined || outputs.has(name)) {
      continue;
    }
    outputs.add(name);
    bytes += output.bytes;
    inputs.push(...Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])));
    for (const { kind, path: target } of output.imports) {
      if (kind === 'import-statement') {
        next.push(target);
      } else if (kind === 'dynamic-import' && metafile.outputs[target] !== undefined) {
        lazy.add(target);
      }
    }
  }
  return { bytes, inputs, outputs, lazy };
}
