// @ts-check
import { EventEmitter, once } from 'node:events';

/** Exit code and signal of an extension host, as in the server's output. `null` means that there is none. */
/** @typedef {{ readonly code: string, readonly signal: string }} HostEnd */

/**
 * Follows the extension hosts of a code-server by its output.
 * @param {Pick<import('node:child_process').ChildProcess, 'stdout' | 'stderr'>} server
 * @param {number} patience time in which a host without a window may end by itself, in milliseconds
 */
export function watchHosts(server, patience = 20_000) {
  /** Process ids of the extension hosts that run. */
  const hosts = new Set();
  const ends = new EventEmitter();
  onLine(server, line => {
    const launched = /<(\d+)> Launched Extension Host Process/.exec(line)?.[1];
    if (launched !== undefined) {
      hosts.add(launched);
    }
    const [, ended, code = '', signal = ''] = /<(\d+)> Extension Host Process exited with code: (\S+), signal: (\S+?)\./.exec(line) ?? [];
    if (ended !== undefined) {
      hosts.delete(ended);
      ends.emit('end', { code, signal });
    }
  });
  return {
    /** @param {(end: HostEnd) => void} listener */
    onEnd: listener => void ends.on('end', listener),
    /**
     * Resolves when no extension host is left, once all windows are closed. A host whose window closed without notice would wait for hours,
     * so `patience` limits the wait. Then the host is killed.
     */
    async allEnded() {
      const late = setTimeout(() => {
        for (const host of hosts) {
          killProcess(Number(host));
        }
      }, patience);
      while (hosts.size > 0) {
        await once(ends, 'end');
      }
      clearTimeout(late);
    },
  };
}

/** @param {number} pid */
function killProcess(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended, and the server will report its end.
  }
}

/**
 * Calls `listener` with every line that a process prints.
 * @param {Pick<import('node:child_process').ChildProcess, 'stdout' | 'stderr'>} child
 * @param {(line: string) => void} listener
 */
export function onLine(child, listener) {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', text => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(listener);
    });
  }
}
