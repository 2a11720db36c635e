// @ts-check
import { randomBytes } from 'node:crypto';
import { createConnection, createServer } from 'node:net';
import { createMessageConnection, ParameterStructures, SocketMessageReader, SocketMessageWriter } from 'vscode-jsonrpc/node';

/** @typedef {import('vscode-jsonrpc/node').MessageConnection} MessageConnection */

/**
 * Listens on loopback for extension hosts. Runner and hosts call each other by JSON-RPC. They use a plain socket, because VS Code
 * configures proxies and certificates for `http`.
 * @param {(name: string, args: unknown[], host: MessageConnection) => unknown} handle answers the calls of a host; may return a promise
 * @returns {Promise<{ env: NodeJS.ProcessEnv, close(): void }>} `env` has the port and the token with which a host connects
 */
export async function openChannel(handle) {
  const token = randomBytes(16).toString('hex');
  const sockets = new Set();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const host = toConnection(socket);
    host.onRequest((name, params) => {
      const [given, ...args] = Array.isArray(params) ? params : [];
      if (given !== token) {
        throw new Error('The token is wrong.');
      }
      return handle(name, args, host);
    });
    host.listen();
  });
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

/**
 * Connects an extension host to the runner that listens with `openChannel`.
 * @param {(name: string, args: unknown[]) => unknown} [handle] answers the calls of the runner; may return a promise
 */
export function connectToRunner(handle) {
  const runner = toConnection(createConnection(Number(process.env.MANAGED_AGENTS_TEST_PORT), '127.0.0.1'));
  if (handle !== undefined) {
    runner.onRequest((name, params) => handle(name, Array.isArray(params) ? params : []));
  }
  runner.listen();
  return {
    /**
     * Calls the runner. Rejects with its error, or if the connection is closed.
     * @param {string} name
     * @param {unknown[]} args
     * @returns {Promise<unknown>}
     */
    async call(name, ...args) {
      const result = await runner.sendRequest(name, ParameterStructures.byPosition, process.env.MANAGED_AGENTS_TEST_TOKEN, ...args);
      return result ?? undefined;
    },
    close: () => runner.end(),
  };
}

/** @param {import('node:net').Socket} socket */
function toConnection(socket) {
  const connection = createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket));
  // Rejects the pending calls.
  connection.onClose(() => connection.dispose());
  return connection;
}
