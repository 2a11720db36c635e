// @ts-check
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * @typedef {object} Channel
 * @property {NodeJS.ProcessEnv} env tells the other side where it is and how to be let in
 * @property {() => void} close
 */

/**
 * A loopback socket from the extension host to the runner: a line of JSON `{ id, name, args }` calls the handler of that name, and
 * a line `{ id, value }` or `{ id, error }` answers. A plain socket, because VS Code puts proxies and certificates of its own
 * between an extension and `http`.
 * @param {(name: string, args: unknown[]) => unknown} handle may return a promise
 * @returns {Promise<Channel>}
 */
export async function openChannel(handle) {
  const token = randomBytes(16).toString('hex');
  const sockets = new Set();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let rest = '';
    let trusted = false;
    socket.setEncoding('utf8').on('data', text => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (trusted) {
          void answer(socket, line);
        } else if (line === token) {
          trusted = true;
        } else {
          socket.destroy();
          return;
        }
      }
    });
  });

  /**
   * @param {import('node:net').Socket} socket
   * @param {string} line
   */
  async function answer(socket, line) {
    const { id, name, args } = JSON.parse(line);
    try {
      const value = await handle(name, args);
      socket.write(`${JSON.stringify({ id, value })}\n`);
    } catch (error) {
      socket.write(`${JSON.stringify({ id, error: error instanceof Error ? error.message : String(error) })}\n`);
    }
  }

  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    env: { MANAGED_AGENTS_TEST_PORT: String(port), MANAGED_AGENTS_TEST_TOKEN: token },
    close() {
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
    },
  };
}
