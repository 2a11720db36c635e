// @ts-check
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onExit } from '../helpers/onExit.mjs';

/** Settings of every VS Code that tests or `npm start` open: nothing leaves the machine, nothing pops up by itself. */
export const quietSettings = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  // As on the desktop; in a browser VS Code saves by itself after a second.
  'files.autoSave': 'off',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Built-in extensions that need what is not there; VS Code leaves them out. */
const skippedExtensions = ['GitHub.copilot-chat', 'vscode.github', 'vscode.github-authentication', 'vscode.microsoft-authentication'];

/**
 * @typedef {object} CodeServer
 * @property {string} origin address, `http://127.0.0.1:<port>`
 * @property {string} password lets a person in who has no cookie
 * @property {{ readonly name: string, readonly value: string }} cookie lets a page in
 * @property {string} folder holds the profile and the logs
 * @property {Promise<string>} exited settles with the reason when the server or the extension host ended unasked
 * @property {(options?: { keep?: boolean }) => Promise<void>} stop ends it with everything it started; removes its folder unless it is kept
 */

/**
 * Serves one VS Code on a free port of 127.0.0.1 with a profile of its own. Whoever gets in can run programs as this user, so it
 * wants a random password, or the cookie that stands for it: loopback alone keeps neither other users nor hostile pages out.
 * @param {object} options
 * @param {import('./runtime.mjs').Runtime} options.runtime
 * @param {string} [options.extension] folder of an extension to have installed
 * @param {Readonly<Record<string, unknown>>} [options.settings] user settings, over the quiet ones
 * @param {readonly object[]} [options.keybindings]
 * @param {NodeJS.ProcessEnv} [options.env] for the server and so for the extension host
 * @param {number} [options.port] 0 or absent chooses a free one
 * @returns {Promise<CodeServer>}
 */
export async function startCodeServer({ runtime, extension, settings = {}, keybindings = [], env = {}, port = 0 }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'managed-agents-vscode-'));
  const user = path.join(folder, 'user/User');
  const temporary = path.join(folder, 't');
  for (const made of [user, temporary, path.join(folder, 'extensions')]) {
    mkdirSync(made, { recursive: true });
  }
  writeFileSync(path.join(user, 'settings.json'), JSON.stringify({ ...quietSettings, ...settings }, null, 2));
  writeFileSync(path.join(user, 'keybindings.json'), JSON.stringify(keybindings));
  writeFileSync(path.join(folder, 'config.yaml'), '');
  if (extension !== undefined) {
    install(extension, path.join(folder, 'extensions'));
  }
  const password = randomBytes(16).toString('hex');
  const hashed = createHash('sha256').update(password).digest('hex');
  const log = createWriteStream(path.join(folder, 'server.log'));
  const server = spawn(
    runtime.node,
    [
      runtime.entry,
      ...['--bind-addr', `127.0.0.1:${port}`, '--auth', 'password'],
      ...['--config', path.join(folder, 'config.yaml')],
      ...['--user-data-dir', path.join(folder, 'user'), '--extensions-dir', path.join(folder, 'extensions')],
      ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override', '--ignore-last-opened', '--disable-proxy'],
    ],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...withoutEditorVariables(process.env),
        HOME: folder,
        XDG_CONFIG_HOME: path.join(folder, 'xdg'),
        XDG_DATA_HOME: path.join(folder, 'xdg'),
        XDG_RUNTIME_DIR: temporary,
        TMPDIR: temporary,
        HASHED_PASSWORD: hashed,
        EXTENSIONS_GALLERY: '{"serviceUrl":""}',
        VSCODE_SKIP_BUILTIN_EXTENSIONS: skippedExtensions.join(','),
        ...env,
      },
    },
  );
  /** @type {Promise<void>} */
  const gone = new Promise(resolve => server.once('exit', () => resolve()));
  let stopping = false;
  const forget = onExit(() => {
    signalGroup(server.pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  async function stop({ keep = false } = {}) {
    stopping = true;
    signalGroup(server.pid, 'SIGTERM');
    await Promise.race([gone, wait(3000)]);
    signalGroup(server.pid, 'SIGKILL');
    forget();
    log.end();
    if (!keep) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  }

  /** @type {Promise<string>} */
  const exited = new Promise(resolve => {
    server.once('error', error => resolve(`code-server could not be started: ${error.message}`));
    server.once('exit', (code, signal) => stopping || resolve(`code-server ended with ${signal ?? `code ${code}`}`));
    onLine(server, line => {
      const end = /Extension Host Process exited with code: (\S+), signal: (\S+?)\./.exec(line);
      if (end !== null && !stopping) {
        resolve(`the extension host ended with code ${end[1]}, signal ${end[2]}`);
      }
    });
  });
  const listening = new Promise(resolve => {
    onLine(server, line => {
      log.write(`${line}\n`);
      const address = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
      if (address !== undefined) {
        resolve(address);
      }
    });
  });
  const late = wait(60_000, 'code-server did not listen within 60 s', { ref: false });
  const origin = await Promise.race([listening, exited, late]);
  if (!origin.startsWith('http')) {
    await stop({ keep: true });
    const tail = readFileSync(path.join(folder, 'server.log'), 'utf8').trim().split('\n').slice(-10).join('\n');
    throw new Error(`${origin}. Its log is ${path.join(folder, 'server.log')} and ends:\n${tail}`);
  }
  return { origin, password, cookie: { name: 'code-server-session', value: hashed }, folder, exited, stop };
}

/**
 * Writes an extension down as installed. VS Code sees a link, so that uninstalling can never remove the folder itself.
 * @param {string} extension
 * @param {string} folder
 */
function install(extension, folder) {
  const { publisher, name, version } = JSON.parse(readFileSync(path.join(extension, 'package.json'), 'utf8'));
  const link = path.join(folder, `${publisher}.${name}-${version}`);
  symlinkSync(extension, link, 'dir');
  const entry = { identifier: { id: `${publisher}.${name}` }, version, location: { $mid: 1, scheme: 'file', path: link } };
  writeFileSync(path.join(folder, 'extensions.json'), JSON.stringify([entry]));
}

/**
 * Copies the logs of a profile, for a failure to be understood by.
 * @param {string} profile
 * @param {string} folder
 */
export function keepLogs(profile, folder) {
  for (const name of ['server.log', 'user/logs'].filter(name => existsSync(path.join(profile, name)))) {
    cpSync(path.join(profile, name), path.join(folder, path.basename(name)), { recursive: true, force: true });
  }
}

/**
 * What a VS Code around this process would say to its own children must not reach another VS Code.
 * @param {NodeJS.ProcessEnv} env
 */
export function withoutEditorVariables(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(VSCODE_|CODE_SERVER_|ELECTRON_|NODE_OPTIONS$|PASSWORD$|HASHED_PASSWORD$|PORT$)/.test(name)),
  );
}

/**
 * @param {number | undefined} leader
 * @param {NodeJS.Signals} signal
 */
function signalGroup(leader, signal) {
  try {
    if (leader !== undefined) {
      process.kill(-leader, signal);
    }
  } catch {
    // The whole group is gone already.
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {(line: string) => void} listener
 */
function onLine(child, listener) {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', text => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(listener);
    });
  }
}
