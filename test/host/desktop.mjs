// @ts-check
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { onExit } from '../helpers/onExit.mjs';
import { needsVirtualDisplay } from './chooseVsCode.mjs';
import { withoutEditorVariables } from './codeServer.mjs';

/**
 * Starts a desktop VS Code in a process group of its own.
 * @param {string} executable
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function startDesktop(executable, args, env) {
  const own = [
    ...args,
    '--no-sandbox',
    '--disable-gpu',
    '--disable-updates',
    '--skip-welcome',
    '--skip-release-notes',
    '--disable-telemetry',
  ];
  const [command, all] = needsVirtualDisplay() ? ['xvfb-run', ['-a', executable, ...own]] : [executable, own];
  const child = spawn(command, all, {
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutEditorVariables(process.env), ...env },
  });
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
  const forget = onExit(() => endGroup(child, 'SIGKILL'));
  return {
    child,
    exited,
    /** The last of what it printed. */
    output: () => tail,
    async stop() {
      forget();
      endGroup(child, 'SIGTERM');
      await Promise.race([exited, wait(3000, undefined, { ref: false })]);
      endGroup(child, 'SIGKILL');
    },
  };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function endGroup(child, signal) {
  try {
    if (process.platform === 'win32') {
      child.kill(signal);
    } else if (child.pid !== undefined) {
      process.kill(-child.pid, signal);
    }
  } catch {
    // It is gone already.
  }
}
