// @ts-check

/** How an extension host ended: `null` stands for none, as the server writes it. */
/** @typedef {{ readonly code: string, readonly signal: string }} HostEnd */

/**
 * Follows the extension hosts of a code-server by what it prints.
 * @param {import('node:child_process').ChildProcess} server
 */
export function watchHosts(server) {
  /** Process ids of the extension hosts that run. */
  const hosts = new Set();
  /** @type {Set<(end: HostEnd) => void>} */
  const listeners = new Set();
  onLine(server, line => {
    const launched = /<(\d+)> Launched Extension Host Process/.exec(line)?.[1];
    if (launched !== undefined) {
      hosts.add(launched);
    }
    const [, ended, code = '', signal = ''] = /<(\d+)> Extension Host Process exited with code: (\S+), signal: (\S+?)\./.exec(line) ?? [];
    if (ended !== undefined) {
      hosts.delete(ended);
      for (const listener of listeners) {
        listener({ code, signal });
      }
    }
  });
  return {
    /** @param {(end: HostEnd) => void} listener */
    onEnd: listener => {
      listeners.add(listener);
    },
    /** Settles when no extension host is left. */
    async allEnded() {
      while (hosts.size > 0) {
        await new Promise(resolve => {
          const listener = () => {
            listeners.delete(listener);
            resolve(undefined);
          };
          listeners.add(listener);
        });
      }
    },
  };
}

/**
 * Calls `listener` with every line that a process prints.
 * @param {import('node:child_process').ChildProcess} child
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
