// Connects an MCP client on stdin and stdout to the socket of the extension. Runs as a separate program from a copy next to the address
// file, so it imports no other module of the extension.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';

/** Name of the address file, which contains the socket's path and token. Path and token change whenever the editor window starts. */
const addressName = 'address.json';
/** Maximum length of a line from the client, in bytes. The server rejects messages over 1 MiB. */
const maxBytes = 4 * 1024 * 1024;

const notServed = 'The MCP server is not running. Open the workspace in the editor with "managedAgents.ai.mcp" turned on, then try again.';

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Session id from the reply to the client's first message. Stays valid when the editor window restarts. */
let session = '';

/** Sends one message and returns the server's reply. Rejects with `ENOENT` or `ECONNREFUSED` if the server is not running. */
async function post(line: string): Promise<Reply> {
  const address = JSON.parse(readFileSync(path.join(import.meta.dirname, addressName), 'utf8'));
  return await new Promise((resolve, reject) => {
    const headers = {
      host: 'localhost',
      authorization: `Bearer ${address.token}`,
      'content-type': 'application/json',
      ...(session !== '' && { 'mcp-session-id': session }),
    };
    const request = http.request({ socketPath: address.path, path: '/mcp', method: 'POST', agent: false, headers }, response => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        session = String(response.headers['mcp-session-id'] ?? session);
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
      });
    });
    request.on('error', reject);
    request.end(line);
  });
}

/** Forwards a line of the client. Returns the reply to the client, or `undefined` if there is none. */
async function forward(line: string): Promise<string | undefined> {
  let message: { readonly id?: string | number };
  try {
    message = JSON.parse(line) ?? {};
  } catch {
    return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'The message is not JSON.' } });
  }
  const fail = (text: string) =>
    message.id === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32000, message: text } });
  try {
    const { status, text } = await post(line);
    return status < 300 ? text || undefined : fail(JSON.parse(text).error.message);
  } catch (error) {
    const isGone = ['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '');
    return fail(isGone ? notServed : 'The connection to the editor was lost.');
  }
}

let rest = Buffer.alloc(0);
process.stdin.on('data', (part: Buffer) => {
  rest = Buffer.concat([rest, part]);
  for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
    const line = rest.subarray(0, end).toString().trim();
    rest = rest.subarray(end + 1);
    if (line !== '') {
      void forward(line).then(reply => reply !== undefined && process.stdout.write(`${reply}\n`));
    }
  }
  if (rest.length > maxBytes) {
    process.exit(1);
  }
});
// The client has ended and needs no replies. The server cancels its calls.
process.stdin.on('end', () => process.exit());
process.stdout.on('error', () => process.exit());
