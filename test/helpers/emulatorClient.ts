import { once } from 'node:events';
import net from 'node:net';
import type { Emulator } from '../../src/emulator/emulator';

/** Headers of the contract's dialect with the emulator's key. */
export function contractHeaders(key: string): Record<string, string> {
  const betas = 'message-batches-2024-09-24, managed-agents-2026-04-01, files-api-2025-04-14';
  return { 'x-api-key': key, 'vendor-beta': betas, 'content-type': 'application/json' };
}

/** One call to an emulator in the contract's dialect; `json` is the parsed body where it is one. */
export async function call(
  emulator: Pick<Emulator, 'url' | 'key'>,
  method: string,
  path: string,
  body?: object | string,
  headers: Record<string, string> = {},
) {
  const response = await fetch(emulator.url + path, {
    method,
    headers: { ...contractHeaders(emulator.key), ...headers },
    body: typeof body === 'object' ? JSON.stringify(body) : body,
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text), requestId: response.headers.get('request-id') };
}

/** Sends bytes as they are on a connection of their own and resolves with all that comes back until it is closed. */
export async function sendRaw(url: string, bytes: string, options: { readonly closeAfterSending?: boolean } = {}): Promise<string> {
  const { port } = new URL(url);
  const socket = net.connect(Number(port), '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', part => parts.push(part));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  await new Promise<void>(resolve => socket.write(bytes, () => resolve()));
  if (options.closeAfterSending === true) {
    socket.destroy();
  }
  await once(socket, 'close');
  return Buffer.concat(parts).toString();
}

/** Requests for a batch, ids `r0`, `r1`, ... */
export function batchOf(...texts: string[]) {
  return {
    requests: texts.map((content, n) => ({
      custom_id: `r${n}`,
      params: { model: 'vendor-sonnet-5', max_tokens: 300, messages: [{ role: 'user', content }] },
    })),
  };
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
