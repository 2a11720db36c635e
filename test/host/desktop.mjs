// @ts-check
import { setTimeout as wait } from 'node:timers/promises';
import { signalGroup, startGroup } from '../helpers/processGroup.mjs';
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
  const child = startGroup(command, all, { env: { ...withoutEditorVariables(process.env), ...env } });
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
    child,
    exited,
    /** The last of what it printed. */
    output: () => tail,
    async stop() {
      signalGroup(child.pid, 'SIGTERM');
      await Promise.race([exited, wait(3000, undefined, { ref: false })]);
      signalGroup(child.pid, 'SIGKILL');
    },
  };
}
