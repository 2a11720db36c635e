// @ts-check
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { downloads } from '../host/npmInstall.mjs';
import { isRuntimeHere, pairs } from '../host/runtime.mjs';

/** @typedef {{ kind: 'desktop', executable: string, why: string } | { kind: 'code-server', why: string }} VsCodeChoice */

/**
 * Returns the VS Code to open, with the reason. Takes the first that exists: `VSCODE_PATH`, an installed `code`, an earlier download, an
 * installed code-server, a new download by `@vscode/test-electron`, code-server from npm. `VSCODE_HOST` (`desktop` or `code-server`) allows
 * only one kind.
 * @param {(line: string) => void} log
 * @returns {Promise<VsCodeChoice>}
 */
export async function chooseVsCode(log) {
  const wanted = process.env.VSCODE_HOST;
  const named = process.env.VSCODE_PATH ?? '';
  if (wanted === 'code-server') {
    return { kind: 'code-server', why: 'VSCODE_HOST says so' };
  }
  if (needsDisplay() && wanted !== 'desktop' && named === '') {
    return { kind: 'code-server', why: 'this machine has no display for a desktop VS Code' };
  }
  if (named !== '') {
    const executable = toDesktopExecutable(named);
    if (executable === undefined) {
      throw new Error(`VSCODE_PATH names ${named}, which is no VS Code. Name its executable, or unset it.`);
    }
    return { kind: 'desktop', executable, why: 'VSCODE_PATH' };
  }
  const installed = findInstalled();
  if (installed !== undefined && isNewEnough(installed, log)) {
    return { kind: 'desktop', executable: installed, why: 'installed' };
  }
  const version = newestDownloaded();
  if (version === undefined && wanted !== 'desktop' && isRuntimeHere('newest')) {
    return { kind: 'code-server', why: 'it was installed before' };
  }
  try {
    return { kind: 'desktop', executable: await download(version, log), why: 'downloaded by @vscode/test-electron' };
  } catch (error) {
    if (wanted === 'desktop') {
      throw error;
    }
    const reason = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error);
    return { kind: 'code-server', why: `no desktop VS Code is installed and none can be downloaded (${reason})` };
  }
}

/**
 * @param {string | undefined} version version of an earlier download; `undefined` downloads the newest
 * @param {(line: string) => void} log
 */
async function download(version, log) {
  if (version === undefined) {
    log('Looking for a desktop VS Code to download');
  }
  let printedAt = 0;
  return await downloadAndUnzipVSCode({
    version: version ?? 'stable',
    cachePath: downloads,
    timeout: 15_000,
    reporter: {
      report: report => {
        const percent = 'bytesSoFar' in report ? Math.floor((report.bytesSoFar / report.totalBytes) * 100) : 0;
        if (percent >= printedAt + 10) {
          printedAt = percent;
          log(`  ${percent} %`);
        }
      },
      error: () => undefined,
    },
  });
}

/** Returns the newest complete VS Code that was downloaded here. */
function newestDownloaded() {
  const names = existsSync(downloads) ? readdirSync(downloads) : [];
  return names
    .filter(name => name.startsWith('vscode-') && existsSync(path.join(downloads, name, 'is-complete')))
    .flatMap(name => /\d+\.\d+\.\d+$/.exec(name) ?? [])
    .filter(version => version !== pairs.floor.vscode)
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .at(0);
}

/** Returns whether there is no display, which a desktop VS Code needs on Linux. */
export function needsDisplay() {
  return process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
}

/**
 * Returns the Electron executable of a VS Code: the file itself, or the one that a `code` command starts. A remote `code` has none.
 * @param {string} file
 * @returns {string | undefined}
 */
export function toDesktopExecutable(file) {
  if (!existsSync(file)) {
    return undefined;
  }
  const real = realpathSync(file);
  if (path.basename(path.dirname(real)) !== 'bin') {
    return real;
  }
  const home = path.dirname(path.dirname(real));
  const candidates = [
    path.join(home, path.basename(real)),
    path.join(home, 'Code.exe'),
    path.join(home, '../../MacOS/Code'),
    path.join(home, '../../MacOS/Electron'),
  ];
  return candidates.find(candidate => candidate !== real && existsSync(candidate));
}

function findInstalled() {
  const known = {
    darwin: ['/Applications/Visual Studio Code.app/Contents/MacOS/Code', '/Applications/Visual Studio Code.app/Contents/MacOS/Electron'],
    win32: [path.join(process.env.LOCALAPPDATA ?? '', 'Programs/Microsoft VS Code/Code.exe')],
  };
  const command = onPath(process.platform === 'win32' ? 'code.cmd' : 'code');
  const places = process.platform === 'darwin' ? known.darwin : process.platform === 'win32' ? known.win32 : [];
  return (command === undefined ? undefined : toDesktopExecutable(command)) ?? places.find(file => existsSync(file));
}

/**
 * @param {string} executable
 * @param {(line: string) => void} log
 */
function isNewEnough(executable, log) {
  const folder = path.dirname(executable);
  const manifest = [path.join(folder, 'resources/app/package.json'), path.join(folder, '../Resources/app/package.json')].find(existsSync);
  const version = manifest === undefined ? '' : String(JSON.parse(readFileSync(manifest, 'utf8')).version);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [floorMajor = 0, floorMinor = 0] = pairs.floor.vscode.split('.').map(Number);
  const fits = major > floorMajor || (major === floorMajor && minor >= floorMinor);
  if (!fits) {
    log(
      `The installed VS Code (${version === '' ? 'of unknown version' : version}) is older than ${floorMajor}.${floorMinor} and is left alone.`,
    );
  }
  return fits;
}

/** @param {string} command */
function onPath(command) {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .map(folder => path.join(folder, command))
    .find(file => existsSync(file));
}
