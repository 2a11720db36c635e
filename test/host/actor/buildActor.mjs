// @ts-check
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * Builds the extension that acts for a test inside VS Code.
 * @param {string} root the project
 * @param {string} folder
 */
export async function buildActor(root, folder) {
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(root, 'test/host/actor/package.json'), path.join(folder, 'package.json'));
  await build({
    entryPoints: [path.join(root, 'test/host/actor/actorExtension.ts')],
    outfile: path.join(folder, 'actorExtension.cjs'),
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20.19', external: ['vscode', 'mocha'], logLevel: 'warning' },
  });
}
