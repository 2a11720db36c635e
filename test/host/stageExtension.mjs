// @ts-check
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { buildExtension } from '../../esbuild.mjs';
import { writePseudoLocale } from '../l10n/pseudoLocale.mjs';

/** Files of an installed extension next to its bundles. */
const shipped = ['package.json', 'package.nls.json', 'media', 'l10n', 'LICENSE', 'README.md', 'CHANGELOG.md'];

/**
 * Builds the extension as it ships, but not minified, into the folder of this run, so that another build can't disturb the run. Adds the
 * pseudo locale of tests.
 * @param {string} root the project
 * @param {string} folder
 */
export async function stageExtension(root, folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of shipped.filter(name => existsSync(path.join(root, name)))) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  writePseudoLocale(root, folder);
  await buildExtension({ outdir: path.join(folder, 'dist'), logLevel: 'warning', sourcemap: false });
}
