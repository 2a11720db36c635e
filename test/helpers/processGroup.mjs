// @ts-check
import { spawn } from 'node:child_process';
import { onExit } from './onExit.mjs';

/** Windows has no process groups. */
const hasGroups = process.platform !== 'win32';

/**
 * Starts a program as the leader of its own process group, which ends with this process and with the test run. The program's output is
 * piped.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean }} options
 */
export function startGroup(command, args, options) {
  const child = spawn(command, args, { ...options, detached: hasGroups, stdio: ['ignore', 'pipe', 'pipe'] });
  const forget = onExit(() => signalGroup(child.pid, 'SIGKILL'));
  child.once('close', forget);
  return child;
}

/**
 * Sends a signal to a process group, if it still exists.
 * @param {number | undefined} leader
 * @param {NodeJS.Signals} signal
 */
export function signalGroup(leader, signal) {
  try {
    if (leader !== undefined) {
      process.kill(hasGroups ? -leader : leader, signal);
    }
  } catch {
    // The whole group has ended already.
  }
}
