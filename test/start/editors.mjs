// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { signalGroup, startGroup } from '../helpers/processGroup.mjs';
import { startCodeServer, withoutEditorVariables } from '../host/codeServer.mjs';
import { ensureRuntime } from '../host/runtime.mjs';
import { needsDisplay } from './chooseVsCode.mjs';
import { openFrontDoor } from './frontDoor.mjs';
import { watchCrashes } from './hostCrashes.mjs';

/** Port of the first start, outside the range from which systems assign ports. */
const usualPort = 23_117;

/**
 * @typedef {object} Place
 * @property {string} root folder of the project, which is also the extension's folder
 * @property {string} samples folder to open
 * @property {string} profile folder for VS Code's own files
 * @property {boolean} asksForTrust
 * @property {(line: string) => void} log
 */

/**
 * A running VS Code.
 * @typedef {object} OpenedEditor
 * @property {Promise<{ readonly reason: string, readonly isGood: boolean }>} ended settles when VS Code has ended by itself
 * @property {() => Promise<void>} stop
 * @property {() => string} output returns the end of its output
 */

/**
 * @param {string} executable
 * @param {Place} place
 * @returns {Promise<OpenedEditor>}
 */
export async function openOnDesktop(executable, { root, samples, profile, asksForTrust }) {
  const user = path.join(profile, 'user');
  // Later starts restore the editors of the previous start.
  const isFirst = !existsSync(path.join(user, 'User/workspaceStorage'));
  const started = startDesktop(executable, [
    samples,
    ...(isFirst ? [path.join(samples, 'questions.jsonl')] : []),
    '--new-window',
    '--wait',
    `--extensionDevelopmentPath=${root}`,
    `--user-data-dir=${user}`,
    `--extensions-dir=${path.join(profile, 'extensions')}`,
    ...(asksForTrust ? [] : ['--disable-workspace-trust']),
  ]);
  const ended = started.exited.then(reason => ({ reason, isGood: reason === 'VS Code ended with code 0' }));
  return { ended, stop: started.stop, output: started.output };
}

/**
 * Serves VS Code to a browser and prints its address.
 * @param {Place & { memory: import('./workFolder.mjs').StartMemory, port: number | undefined }} place `port` is the port that the user
 * asked for
 * @returns {Promise<OpenedEditor & { address: string, memory: import('./workFolder.mjs').StartMemory }>}
 */
export async function openInBrowser({ root, samples, profile, asksForTrust, log, memory, port }) {
  const runtime = await ensureRuntime('newest', log);
  const server = await startCodeServer({ runtime, extensions: [root], profile, isTrusting: !asksForTrust });
  const wanted = port ?? memory.port ?? usualPort;
  const layout = { file: path.join(samples, 'questions.jsonl'), view: 'managedAgents.batches' };
  const door = await openFrontDoor({ server, port: wanted, token: memory.token, folder: samples, layout });
  if (door.port !== wanted) {
    log(`Port ${wanted} is taken, so it is ${door.port} this time; there your browser does not know what was open.`);
  }
  log(`\nVS Code ${runtime.vscode} is ready. Open this address in a browser:\n\n  ${door.address}\n`);
  log(`It answers on this machine only. From another one: ssh -L ${door.port}:127.0.0.1:${door.port} <this machine>`);
  log('and the same address there (with another port in it, if you forward another).');
  showInBrowser(door.address, log);
  const crash = watchCrashes();
  /** @type {OpenedEditor['ended']} */
  const ended = new Promise(resolve => {
    void server.gone.then(reason => resolve({ reason, isGood: false }));
    server.onHostEnd(end => {
      const reason = crash(end);
      if (reason !== undefined) {
        resolve({ reason, isGood: false });
      }
    });
  });
  return {
    ended,
    stop: async () => {
      door.close();
      await server.stop();
    },
    output: () => readFileSync(path.join(profile, 'server.log'), 'utf8').trim().split('\n').slice(-20).join('\n'),
    address: door.address,
    memory: { ...memory, port: port === door.port ? port : (memory.port ?? door.port) },
  };
}

/**
 * Opens the user's browser if there is a display.
 * @param {string} address
 * @param {(line: string) => void} log
 */
function showInBrowser(address, log) {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  if (needsDisplay() || process.env.CI !== undefined) {
    return;
  }
  spawn(opener, [address], { stdio: 'ignore', detached: true })
    .once('error', () => log('(No browser could be opened by itself.)'))
    .unref();
}

/**
 * Starts a desktop VS Code in a process group of its own.
 * @param {string} executable
 * @param {readonly string[]} args
 */
function startDesktop(executable, args) {
  const own = [
    ...args,
    '--no-sandbox',
    '--disable-gpu',
    '--disable-updates',
    '--skip-welcome',
    '--skip-release-notes',
    '--disable-telemetry',
  ];
  const child = startGroup(executable, own, { env: withoutEditorVariables(process.env) });
  /** @type {Promise<string>} */
  const exited = new Promise(resolve => {
    child.once('error', error => resolve(`VS Code could not be started: ${error.message}`));
    child.once('exit', (code, signal) => resolve(`VS Code ended with ${signal ?? `code ${code}`}`));
  });
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', text => {
      tail = (tail + text).slice(-4000);
    });
  }
  return {
    exited,
    output: () => tail,
    async stop() {
      signalGroup(child.pid, 'SIGTERM');
      await Promise.race([exited, wait(3000, undefined, { ref: false })]);
      signalGroup(child.pid, 'SIGKILL');
    },
  };
}
