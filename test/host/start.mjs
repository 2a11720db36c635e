// @ts-check
// npm start: a real VS Code with the extension in it, the built-in emulator as its connection, and a copy of the samples open.
//   npm start -- [--port N] [--ask-trust]
// --port serves code-server on that port of 127.0.0.1; --ask-trust opens the samples in Restricted Mode, as any unknown folder.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stop as stopEsbuild } from 'esbuild';
import { buildExtension } from '../../esbuild.mjs';
import { onExit } from '../helpers/onExit.mjs';
import { chooseVsCode, needsVirtualDisplay } from './chooseVsCode.mjs';
import { quietSettings, startCodeServer } from './codeServer.mjs';
import { startDesktop } from './desktop.mjs';
import { openDoor } from './door.mjs';
import { ensureRuntime } from './runtime.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, 'ask-trust': { type: 'boolean', default: false } } });
const settings = {
  'managedAgents.connection': 'Emulator',
  'security.workspace.trust.enabled': values['ask-trust'],
};
const log = (/** @type {string} */ line) => console.log(line);

/** A folder of one's own to try things in: a copy of the samples. */
function copySamples() {
  const home = mkdtempSync(path.join(os.tmpdir(), 'managed-agents-start-'));
  onExit(() => rmSync(home, { recursive: true, force: true }));
  const samples = path.join(home, 'samples');
  cpSync(path.join(root, 'media/samples'), samples, { recursive: true });
  return { home, samples };
}

/**
 * @param {string} executable
 * @param {{ home: string, samples: string }} folders
 */
function openDesktop(executable, { home, samples }) {
  const user = path.join(home, 'user');
  mkdirSync(path.join(user, 'User'), { recursive: true });
  writeFileSync(path.join(user, 'User/settings.json'), JSON.stringify({ ...quietSettings, ...settings }, null, 2));
  const started = startDesktop(
    executable,
    [
      samples,
      path.join(samples, 'questions.jsonl'),
      '--new-window',
      '--wait',
      `--extensionDevelopmentPath=${root}`,
      `--user-data-dir=${user}`,
      `--extensions-dir=${path.join(home, 'extensions')}`,
    ],
    {},
  );
  return { exited: started.exited, stop: started.stop, output: started.output };
}

/** @param {string} samples */
async function openCodeServer(samples) {
  const runtime = await ensureRuntime('newest', log);
  const server = await startCodeServer({ runtime, extension: root, settings, port: Number(values.port) });
  const { host, port } = new URL(server.origin);
  const opened = JSON.stringify([['openFile', `vscode-remote://${host}${samples}/questions.jsonl`]]);
  const query = new URLSearchParams({ folder: samples, payload: opened });
  const door = await openDoor(server, `${server.origin}/?${query}`);
  log(`\nVS Code ${runtime.vscode} is ready. Open this address in a browser:\n\n  ${door.address}\n`);
  log(`It answers on this machine only. From another one: ssh -L ${port}:127.0.0.1:${port} <this machine>`);
  log(`then ${server.origin} with the password ${server.password}`);
  showInBrowser(door.address);
  return { exited: server.exited, stop: () => server.stop(), output: () => '' };
}

/**
 * Opens a person's browser where there is a screen.
 * @param {string} address
 */
function showInBrowser(address) {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  if (needsVirtualDisplay() || process.env.CI !== undefined) {
    return;
  }
  spawn(opener, [address], { stdio: 'ignore', detached: true })
    .once('error', () => log('(No browser could be opened by itself.)'))
    .unref();
}

const stopped = new Promise(resolve => {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(signal, () => resolve(''));
  }
});
try {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  log(`Building the extension (${version})`);
  await buildExtension({ absWorkingDir: root, logLevel: 'warning' });
  // Its process would idle along, and may outlive this one for a moment.
  await stopEsbuild();
  const choice = await chooseVsCode('newest', log);
  log(`VS Code: ${choice.kind === 'desktop' ? choice.executable : 'code-server from npm'} (${choice.why})`);
  const folders = copySamples();
  log(`Samples: a copy in ${folders.samples}, removed at the end`);
  const opened = choice.kind === 'desktop' ? openDesktop(choice.executable, folders) : await openCodeServer(folders.samples);
  log('The connection is the built-in emulator. Ctrl-C stops everything.');
  const ended = await Promise.race([stopped, opened.exited]);
  log(ended === '' ? '\nStopping' : `\n${ended}; stopping`);
  await opened.stop();
  const isGood = ended === '' || ended === 'VS Code ended with code 0';
  if (!isGood) {
    console.error(opened.output());
  }
  process.exit(isGood ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
