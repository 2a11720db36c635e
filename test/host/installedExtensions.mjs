// @ts-check
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Built-in extensions whose requirements are missing in the VS Code of the tests. */
const skippedExtensions = ['GitHub.copilot-chat', 'vscode.github', 'vscode.github-authentication', 'vscode.microsoft-authentication'];

/** Built-in extensions that request files, agents and sessions need. A bare VS Code has no others. */
const bareExtensions = [
  'configuration-editing',
  'diff',
  'json',
  'json-language-features',
  'log',
  'markdown-basics',
  'markdown-language-features',
  'theme-defaults',
  'theme-modern-icons',
  'theme-seti',
];

/**
 * Returns the ids of the built-in extensions to leave out, in the format of VS Code's environment variable.
 * @param {import('./runtime.mjs').Runtime} runtime
 * @param {boolean} isBare whether to leave out extensions that no test needs too
 */
export function toSkipped({ folder }, isBare) {
  const builtIn = path.join(folder, 'node_modules/code-server/lib/vscode/extensions');
  const notNeeded = readdirSync(builtIn)
    .filter(name => isBare && !bareExtensions.includes(name) && existsSync(path.join(builtIn, name, 'package.json')))
    .map(name => {
      const { publisher, name: own } = JSON.parse(readFileSync(path.join(builtIn, name, 'package.json'), 'utf8'));
      return `${publisher}.${own}`;
    });
  return [...skippedExtensions, ...notNeeded].join(',');
}

/**
 * Records extensions as installed, in addition to the existing ones. Installs links to the folders, so that uninstalling deletes only a
 * link.
 * @param {readonly string[]} extensions folders of extensions
 * @param {string} folder folder of installed extensions
 */
export function installExtensions(extensions, folder) {
  const list = path.join(folder, 'extensions.json');
  const entries = extensions.map(extension => {
    const { publisher, name, version } = JSON.parse(readFileSync(path.join(extension, 'package.json'), 'utf8'));
    const id = `${publisher}.${name}`;
    for (const old of readdirSync(folder).filter(entry => entry.startsWith(`${id}-`))) {
      rmSync(path.join(folder, old), { recursive: true });
    }
    const link = path.join(folder, `${id}-${version}`);
    symlinkSync(extension, link, 'dir');
    return { identifier: { id }, version, location: { $mid: 1, scheme: 'file', path: link } };
  });
  const ids = entries.map(({ identifier }) => identifier.id);
  const others = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  const kept = others.filter((/** @type {{ identifier: { id: string } }} */ { identifier }) => !ids.includes(identifier.id));
  writeFileSync(list, JSON.stringify([...kept, ...entries]));
  // An extension that was uninstalled by hand would be removed at the next start.
  rmSync(path.join(folder, '.obsolete'), { force: true });
}
