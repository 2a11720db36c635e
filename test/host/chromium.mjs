// @ts-check
// A Chromium to show the workbench in: the one that CHROMIUM_PATH names, an installed one, or one from npm.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { npm, partialOf, run, withLock } from './npmInstall.mjs';
import { downloads } from './runtime.mjs';

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

/** @typedef {{ executable: string, env: NodeJS.ProcessEnv, why: string }} Chromium */

/**
 * Returns a Chromium that runs on this machine. If none is installed, downloads one from npm (`@sparticuz/chromium`, Linux); `node` is a
 * Node that its package supports. Throws an error with advice if there is none.
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
    return { executable: named, env: {}, why: 'CHROMIUM_PATH' };
  }
  const found = (process.platform === 'darwin' ? installed.darwin : installed.linux).find(file => existsSync(file));
  if (found !== undefined) {
    return { executable: found, env: {}, why: 'installed' };
  }
  if (process.platform !== 'linux') {
    throw new Error('No Chrome or Chromium was found. Install one, or set CHROMIUM_PATH to its executable.');
  }
  const folder = path.join(downloads, `chromium-${version}`);
  const stamp = path.join(folder, 'installed.json');
  if (!existsSync(stamp)) {
    await withLock(folder, log, async () => {
      if (!existsSync(stamp)) {
        await install(folder, node, log);
      }
    });
  }
  const { libraries, fonts } = JSON.parse(readFileSync(stamp, 'utf8'));
  return {
    executable: path.join(folder, 'unpacked/chromium'),
    env: {
      ...(libraries ? { LD_LIBRARY_PATH: path.join(folder, 'unpacked/al2023/lib') } : {}),
      ...(fonts ? { FONTCONFIG_PATH: path.join(folder, 'unpacked/fonts') } : {}),
    },
    why: `@sparticuz/chromium ${version} from npm`,
  };
}

/**
 * @param {string} folder
 * @param {string} node
 * @param {(line: string) => void} log
 */
async function install(folder, node, log) {
  log(
    `Installing Chromium (@sparticuz/chromium ${version} from npm) into ${path.relative(process.cwd(), folder)}, once: about 66 MB to download, 280 MB unpacked`,
  );
  const work = partialOf(folder);
  mkdirSync(path.join(work, 'unpacked'), { recursive: true });
  try {
    writeFileSync(path.join(work, 'package.json'), JSON.stringify({ private: true, dependencies: { '@sparticuz/chromium': version } }));
    await npm(['install', '--ignore-scripts', '--no-package-lock'], { cwd: work, env: { npm_config_engine_strict: 'false' } });
    // Unpacks into the folder for temporary files. The second variable makes it unpack its libraries as well.
    await run(node, ['--input-type=module', '-e', "await (await import('@sparticuz/chromium')).default.executablePath()"], {
      cwd: work,
      env: { TMPDIR: path.join(work, 'unpacked'), AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
    });
    rmSync(path.join(work, 'node_modules'), { recursive: true, force: true });
    const executable = path.join(work, 'unpacked/chromium');
    const libraries = !(await starts(executable, work, {}));
    if (libraries && !(await starts(executable, work, { LD_LIBRARY_PATH: path.join(work, 'unpacked/al2023/lib') }))) {
      throw new Error('its libraries do not fit this system.');
    }
    const fonts = !existsSync('/usr/share/fonts') && !existsSync('/usr/local/share/fonts');
    writeFileSync(path.join(work, 'installed.json'), JSON.stringify({ version, libraries, fonts }));
    rmSync(folder, { recursive: true, force: true });
    renameSync(work, folder);
  } catch (error) {
    throw new Error(
      'Chromium from npm could not be installed or does not run here. Install Chromium or Chrome, or set CHROMIUM_PATH to its executable.\n' +
        (error instanceof Error ? error.message : error),
      { cause: error },
    );
  }
}

/**
 * @param {string} executable
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 */
async function starts(executable, cwd, env) {
  try {
    return /Chromium/.test(await run(executable, ['--version'], { cwd, env }));
  } catch {
    return false;
  }
}

/**
 * Starts it headless. It can only reach this machine, and keeps its files in `home`.
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
