// @ts-check
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onExit } from '../helpers/onExit.mjs';
import { signalGroup, startGroup } from '../helpers/processGroup.mjs';
import { onLine, watchHosts } from './extensionHosts.mjs';
import { installExtensions, toSkipped } from './installedExtensions.mjs';

/** Settings of every VS Code that tests or `npm start` open: no network access, no unasked notifications. */
export const quietSettings = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  // The default on the desktop. In a browser, VS Code saves automatically after a second by default.
  'files.autoSave': 'off',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Settings of tests, in addition to `quietSettings`: no animations, no views that tests don't need, no restored positions. */
export const calmSettings = {
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  // A file that a test opens is scrolled to its start, regardless of earlier tests.
  'workbench.editor.restoreViewState': false,
  // An open list stays open when a page that loads late takes the focus.
  'workbench.quickOpen.closeOnFocusLost': false,
  'workbench.reduceMotion': 'on',
};

/**
 * @typedef {object} CodeServer
 * @property {string} origin address, `http://127.0.0.1:<port>`
 * @property {{ readonly name: string, readonly value: string }} cookie gives a page access
 * @property {string} folder holds the profile and the logs
 * @property {Promise<string>} gone settles with the reason when the server's process has ended
 * @property {(listener: (end: import('./extensionHosts.mjs').HostEnd) => void) => void} onHostEnd calls for each extension host that ended
 * @property {() => Promise<void>} hostsEnded settles when no extension host is left
 * @property {() => Promise<void>} stop ends the server and its child processes, and deletes its folder unless `profile` was given
 */

/**
 * @typedef {object} CodeServerOptions
 * @property {import('./runtime.mjs').Runtime} runtime
 * @property {readonly string[]} [extensions] folders of extensions to install
 * @property {boolean} [isBare] leaves out built-in extensions that no test needs
 * @property {Readonly<Record<string, unknown>>} [settings] user settings, in addition to `quietSettings`
 * @property {string} [profile] folder of an existing profile; by default, a new profile that is deleted with the server
 * @property {boolean} [isTrusting] trusts every folder
 * @property {NodeJS.ProcessEnv} [env] additional variables for the server and its extension hosts
 */

/**
 * Serves one VS Code on a free port of 127.0.0.1. Its clients can run programs as this user. Other users and hostile pages can also reach
 * loopback, so clients need a cookie with the hash of a random password.
 * @param {CodeServerOptions} options
 * @returns {Promise<CodeServer>}
 */
export async function startCodeServer({ profile, settings = {}, extensions = [], ...options }) {
  const made = mkdtempSync(path.join(os.tmpdir(), 'managed-agents-vscode-'));
  const folder = profile ?? made;
  const user = path.join(folder, 'user/User');
  // Folder of the sockets, with a short path because socket paths have a maximum length.
  const temporary = path.join(made, 't');
  for (const needed of [user, temporary, path.join(folder, 'extensions')]) {
    mkdirSync(needed, { recursive: true });
  }
  if (profile === undefined) {
    writeFileSync(path.join(user, 'settings.json'), JSON.stringify({ ...quietSettings, ...settings }, null, 2));
  }
  writeFileSync(path.join(folder, 'config.yaml'), '');
  installExtensions(extensions, path.join(folder, 'extensions'));
  const hashed = createHash('sha256').update(randomBytes(16)).digest('hex');
  const log = createWriteStream(path.join(folder, 'server.log'));
  const server = spawnServer(options, folder, temporary, hashed);
  const forget = onExit(() => {
    signalGroup(server.pid, 'SIGKILL');
    // A killed process can still write a file.
    rmSync(made, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  async function stop() {
    signalGroup(server.pid, 'SIGTERM');
    await Promise.race([gone, wait(3000)]);
    signalGroup(server.pid, 'SIGKILL');
    forget();
    log.end();
    rmSync(made, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  /** @type {Promise<string>} */
  const gone = new Promise(resolve => {
    server.once('error', error => resolve(`code-server could not be started: ${error.message}`));
    server.once('exit', (code, signal) => resolve(`code-server ended with ${signal ?? `code ${code}`}`));
  });
  const hosts = watchHosts(server);
  const listening = new Promise(resolve => {
    onLine(server, line => {
      log.write(`${line}\n`);
      const address = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
      if (address !== undefined) {
        resolve(address);
      }
    });
  });
  const late = wait(120_000, 'code-server did not listen within 120 s', { ref: false });
  const origin = await Promise.race([listening, gone, late]);
  if (!origin.startsWith('http')) {
    const tail = readFileSync(path.join(folder, 'server.log'), 'utf8').trim().split('\n').slice(-10).join('\n');
    await stop();
    throw new Error(`${origin}. Its log ends:\n${tail}`);
  }
  const cookie = { name: 'code-server-session', value: hashed };
  return { origin, cookie, folder, gone, onHostEnd: hosts.onEnd, hostsEnded: hosts.allEnded, stop };
}

/**
 * @param {Omit<CodeServerOptions, 'profile' | 'settings' | 'extensions'>} options
 * @param {string} folder
 * @param {string} temporary
 * @param {string} hashed hash of the password
 */
function spawnServer({ runtime, isBare = false, isTrusting = false, env = {} }, folder, temporary, hashed) {
  const args = [
    ...['--bind-addr', '127.0.0.1:0', '--auth', 'password', '--config', path.join(folder, 'config.yaml')],
    ...['--user-data-dir', path.join(folder, 'user'), '--extensions-dir', path.join(folder, 'extensions')],
    ...['--session-socket', path.join(temporary, 'session.sock')],
    ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override', '--ignore-last-opened', '--disable-proxy'],
    ...(isTrusting ? ['--disable-workspace-trust'] : []),
  ];
  return startGroup(runtime.node, [runtime.entry, ...args], {
    env: {
      ...withoutEditorVariables(process.env),
      HOME: folder,
      XDG_CONFIG_HOME: path.join(folder, 'xdg'),
      XDG_DATA_HOME: path.join(folder, 'xdg'),
      XDG_RUNTIME_DIR: temporary,
      TMPDIR: temporary,
      HASHED_PASSWORD: hashed,
      EXTENSIONS_GALLERY: '{"serviceUrl":""}',
      VSCODE_SKIP_BUILTIN_EXTENSIONS: toSkipped(runtime, isBare),
      ...env,
    },
  });
}

/**
 * Returns the variables without those that VS Code sets for processes in its own terminal.
 * @param {NodeJS.ProcessEnv} env
 */
export function withoutEditorVariables(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(VSCODE_|CODE_SERVER_|ELECTRON_|NODE_OPTIONS$|PASSWORD$|HASHED_PASSWORD$|PORT$)/.test(name)),
  );
}
