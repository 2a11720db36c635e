// @ts-check
import { createHash, timingSafeEqual } from 'node:crypto';
import { Agent, createServer, request as send } from 'node:http';
import { connect } from 'node:net';
import { withLayout } from './firstLayout.mjs';

/** code-server's own service worker makes it an installable app, and delays the first webview by seconds. */
const appWorker = '/_static/out/browser/serviceWorker.js';
/** Headers about a single connection, which must not be forwarded. */
const hops = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/**
 * @typedef {object} FrontDoorOptions
 * @property {{ readonly origin: string, readonly cookie: { readonly name: string, readonly value: string } }} server code-server behind the
 * port
 * @property {number} port preferred port; any free one is used if it is taken
 * @property {string} token secret in the address, which gives a browser access
 * @property {string} folder folder to open
 * @property {import('./firstLayout.mjs').FirstLayout} layout of the first window in a browser
 */

/** @typedef {{ readonly port: number, readonly address: string, readonly close: () => void }} FrontDoor */

/**
 * Opens one port of 127.0.0.1 for a browser. The address with the token sets a cookie. Requests with the cookie are forwarded to the
 * server, including web sockets. So a user of a remote machine needs to forward only this port, to any local port. Refuses requests from
 * pages of other sites, and foreign host names that resolve to this machine.
 * @param {FrontDoorOptions} options
 * @returns {Promise<FrontDoor>}
 */
export async function openFrontDoor(options) {
  const { port: wanted, token } = options;
  // Browsers send a cookie to every port of a host, so the cookie of each folder needs its own name.
  const cookie = { name: `managed-agents-${createHash('sha256').update(token).digest('hex').slice(0, 8)}`, value: token };
  // Opens a connection for each request. The server could close a reused connection just before the next request.
  const agent = new Agent({ keepAlive: false });
  const sockets = new Set();
  const door = createServer((request, response) => {
    const refusal = toRefusal(request, cookie, options);
    if (refusal === undefined) {
      forward(request, response, agent, options);
    } else {
      response.writeHead(refusal.status, { 'cache-control': 'no-store', ...refusal.headers }).end(refusal.text);
    }
  });
  door.on('connection', socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  door.on('upgrade', (request, socket, head) => {
    // A connection that the browser closes is not an error.
    socket.on('error', () => socket.destroy());
    if (toRefusal(request, cookie, options) === undefined) {
      join(request, socket, head, options.server);
    } else {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    }
  });
  const port = await listen(door, wanted).catch(error =>
    error.code === 'EADDRINUSE' && wanted !== 0 ? listen(door, 0) : Promise.reject(error),
  );
  return {
    port,
    address: `http://127.0.0.1:${port}/${token}`,
    close: () => {
      door.close();
      agent.destroy();
      for (const socket of sockets) {
        socket.destroy();
      }
    },
  };
}

/**
 * @param {import('node:http').Server} door
 * @param {number} port
 * @returns {Promise<number>}
 */
function listen(door, port) {
  return new Promise((resolve, reject) => {
    door.once('error', reject);
    door.listen(port, '127.0.0.1', () => {
      door.off('error', reject);
      const address = door.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

/**
 * Returns the response to a request that must not be forwarded, or `undefined` for other requests.
 * @param {import('node:http').IncomingMessage} request
 * @param {{ readonly name: string, readonly value: string }} cookie
 * @param {FrontDoorOptions} options
 * @returns {{ status: number, text?: string, headers?: Record<string, string> } | undefined}
 */
function toRefusal({ method, url = '', headers }, cookie, { token, folder }) {
  const { host = '', origin } = headers;
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host) || (origin !== undefined && origin !== `http://${host}`)) {
    return { status: 403, text: 'Only pages of this address may ask here.' };
  }
  const { pathname, searchParams } = new URL(url, 'http://door');
  const home = `/?${new URLSearchParams({ folder })}`;
  if (method === 'GET' && isSame(pathname, `/${token}`)) {
    const given = `${cookie.name}=${cookie.value}; Path=/; HttpOnly; SameSite=Lax`;
    return { status: 302, headers: { location: home, 'set-cookie': given } };
  }
  if (!isSame(cookieOf(headers.cookie ?? '', cookie.name), cookie.value)) {
    return { status: 403, text: 'Open the address that npm start printed in its terminal: it lets this browser in.' };
  }
  if (pathname === appWorker) {
    return { status: 404 };
  }
  // VS Code adds `ew` to the address of a window without a folder.
  const names = ['folder', 'workspace', 'ew'];
  return pathname === '/' && !names.some(name => searchParams.has(name)) ? { status: 302, headers: { location: home } } : undefined;
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {Agent} agent
 * @param {FrontDoorOptions} options
 */
function forward(request, response, agent, { server, layout }) {
  const { pathname } = new URL(request.url ?? '', 'http://door');
  const isPage = request.method === 'GET' && pathname === '/';
  const headers = toServerHeaders(request.headers, server.cookie);
  if (isPage) {
    // The page is changed before it is forwarded, so the server must send it uncompressed and not from a cache.
    delete headers['accept-encoding'];
    delete headers['if-none-match'];
  }
  const asked = send(server.origin, { path: request.url, method: request.method, headers, agent }, answer => {
    if (!isPage || answer.statusCode !== 200) {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      return;
    }
    let page = '';
    answer.setEncoding('utf8').on('data', text => {
      page += text;
    });
    answer.on('end', () => {
      const rest = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !hops.has(name) && name !== 'content-length'));
      response.writeHead(200, rest).end(withLayout(page, layout, request.headers.host ?? ''));
    });
  });
  asked.on('error', () => {
    if (response.headersSent) {
      response.destroy();
    } else {
      response.writeHead(502).end('VS Code does not answer. The terminal of npm start says more.');
    }
  });
  response.once('close', () => response.writableFinished || asked.destroy());
  request.pipe(asked);
}

/**
 * Connects a browser's web socket to a new web socket of the server.
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:stream').Duplex} socket
 * @param {Buffer} head
 * @param {FrontDoorOptions['server']} server
 */
function join({ method, url, headers }, socket, head, { origin, cookie }) {
  const { hostname, port } = new URL(origin);
  const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
  const lines = Object.entries({ ...headers, cookie: `${cookie.name}=${cookie.value}` }).map(([name, value]) => `${name}: ${value}`);
  upstream.write([`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  upstream.write(head);
  upstream.on('error', () => socket.destroy());
  upstream.once('close', () => socket.destroy());
  socket.once('close', () => upstream.destroy());
  socket.pipe(upstream).pipe(socket);
}

/**
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {FrontDoorOptions['server']['cookie']} cookie
 * @returns {import('node:http').OutgoingHttpHeaders}
 */
function toServerHeaders(headers, cookie) {
  const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => !hops.has(name)));
  return { ...rest, cookie: `${cookie.name}=${cookie.value}` };
}

/**
 * @param {string} header
 * @param {string} name
 */
function cookieOf(header, name) {
  return (
    header
      .split(/; */)
      .find(part => part.startsWith(`${name}=`))
      ?.slice(name.length + 1) ?? ''
  );
}

/**
 * Compares two texts in constant time.
 * @param {string} a
 * @param {string} b
 */
function isSame(a, b) {
  const hash = (/** @type {string} */ text) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}
