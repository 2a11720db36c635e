// @ts-check
// Finds a Chromium to show the workbench in: the executable in CHROMIUM_PATH, an installed browser, or a download from npm.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { downloads, ensureInstalled, run } from './npmInstall.mjs';

const version = '153.0.0';
const installed = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
  ],
  darwin: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'],
};

/** @typedef {{ executable: string, env: NodeJS.ProcessEnv }} Chromium */

/**
 * Returns a Chromium that runs on this machine. If none is installed, downloads one from npm (`@sparticuz/chromium`, only for Linux).
 * `node` is a Node version that this package supports. Throws an error with advice if no Chromium is available.
 * @param {string} node
 * @param {(line: string) => void} log
 * @returns {Promise<Chromium>}
 */
export async function ensureChromium(node, log) {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) {
      throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`);
    }
    return { executable: named, env: {} };
  }
  const found = (process.platform === 'darwin' ? installed.darwin : installed.linux).find(file => existsSync(file));
  if (found !== undefined) {
    return { executable: found, env: {} };
  }
  if (process.platform !== 'linux') {
    throw new Error('No Chrome or Chromium was found. Install one, or set CHROMIUM_PATH to its executable.');
  }
  const folder = path.join(downloads, `chromium-${version}`);
  const title = `Chromium (@sparticuz/chromium ${version}, 66 MB to download and 280 MB unpacked)`;
  const packages = { '@sparticuz/chromium': version };
  const otherwise = 'install Chromium or Chrome, or set CHROMIUM_PATH to its executable';
  const finish = (/** @type {string} */ partial) => unpack(partial, node);
  const { libraries, fonts } = await ensureInstalled({ folder, title, packages, finish, otherwise }, log);
  const unpacked = path.join(folder, 'unpacked');
  return {
    executable: path.join(unpacked, 'chromium'),
    env: {
      ...(libraries ? { LD_LIBRARY_PATH: path.join(unpacked, 'al2023/lib') } : {}),
      ...(fonts ? { FONTCONFIG_PATH: path.join(unpacked, 'fonts') } : {}),
    },
  };
}

/**
 * Unpacks the browser. Returns whether this machine needs the package's libraries, and whether it needs the package's fonts.
 * @param {string} folder
 * @param {string} node
 */
async function unpack(folder, node) {
  const unpacked = path.join(folder, 'unpacked');
  mkdirSync(unpacked);
  // The package unpacks the browser into TMPDIR. The second variable makes the package unpack its libraries as well.
  await run(node, ['--input-type=module', '-e', "await (await import('@sparticuz/chromium')).default.executablePath()"], folder, {
    TMPDIR: unpacked,
    AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x',
  });
  rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
  const starts = async (/** @type {NodeJS.ProcessEnv} */ env) =>
    /Chromium/.test(await run(path.join(unpacked, 'chromium'), ['--version'], folder, env));
  const libraries = !(await starts({}).catch(() => false));
  if (libraries && !(await starts({ LD_LIBRARY_PATH: path.join(unpacked, 'al2023/lib') }))) {
    throw new Error('Its libraries do not fit this system.');
  }
  return { libraries, fonts: !['/usr/share/fonts', '/usr/local/share/fonts'].some(fonts => existsSync(fonts)) };
}

/**
 * Starts Chromium headless. The browser can only reach this machine, and keeps its files in `home`.
 * @param {Chromium} choice
 * @param {string} home
 */
export function launchChromium(choice, home) {
  return chromium.launch(launchOptions(choice, home));
}

/**
 * Like `launchChromium`, with one context that caches compiled code, so that repeated loads are faster.
 * @param {Chromium} choice
 * @param {string} home
 * @param {import('playwright-core').BrowserContextOptions} context
 */
export function launchKeepingCode(choice, home, context) {
  return chromium.launchPersistentContext(path.join(home, 'chromium'), { ...launchOptions(choice, home), ...context });
}

/**
 * @param {Chromium} choice
 * @param {string} home
 * @returns {import('playwright-core').LaunchOptions}
 */
function launchOptions(choice, home) {
  return {
    executablePath: choice.executable,
    headless: true,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: /** @type {Record<string, string>} */ ({
      ...process.env,
      ...choice.env,
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, 'xdg'),
      XDG_CACHE_HOME: path.join(home, 'xdg'),
    }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--force-color-profile=srgb',
      '--font-render-hinting=none',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  };
}
