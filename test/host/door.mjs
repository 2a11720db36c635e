// @ts-check
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * An address on 127.0.0.1 that holds a secret and leads a browser into a code-server with its cookie, so that a person
 * need not type the password.
 * @param {import('./codeServer.mjs').CodeServer} server
 * @param {string} target address in the server to lead to
 * @returns {Promise<{ address: string, close: () => void }>}
 */
export async function openDoor({ cookie }, target) {
  const secret = `/${randomBytes(16).toString('hex')}`;
  const door = createServer((request, response) => {
    if (request.url === secret) {
      // The cookie reaches every port of 127.0.0.1, and nothing else.
      const header = `${cookie.name}=${cookie.value}; Path=/; HttpOnly; SameSite=Lax`;
      response.writeHead(302, { 'set-cookie': header, location: target, 'cache-control': 'no-store' }).end();
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise(resolve => door.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = door.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { address: `http://127.0.0.1:${port}${secret}`, close: () => door.close() };
}
