import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

/** Where another emulator answers on this machine, and the key it accepts. */
export interface OtherEmulator {
  readonly url: string;
  readonly key: string;
}

/** Path of an answer that begins at once, and ends when the emulator does. */
export const presencePath = '/_emulator/presence';

/** Milliseconds within which an emulator that has a lock says so: whoever runs it may have to find out first. */
const patience = 8_000;
const mostBytes = 4_096;

const holderSchema = z.object({ key: z.string().min(1) });

/**
 * Asks whoever listens on a port of this machine whether it has the lock that `path` names; undefined where nobody says so: another program
 * does not know the lock. `holder` is missing where an emulator has it that tells nobody its key, as older versions do.
 */
export async function askHolder(port: number, path: string): Promise<{ readonly holder: OtherEmulator | undefined } | undefined> {
  const url = `http://127.0.0.1:${port}`;
  try {
    const response = await get(url + path, AbortSignal.timeout(patience));
    const length = Number(response.headers['content-length'] ?? Number.NaN);
    if (response.statusCode !== 200 || !(length <= mostBytes)) {
      response.destroy();
      return response.statusCode === 204 ? { holder: undefined } : undefined;
    }
    const { key } = holderSchema.parse(JSON.parse(await text(response)));
    return { holder: { url, key } };
  } catch {
    return undefined;
  }
}

/** Settles when another emulator has ended, or nobody wants to know any longer. */
export async function untilGone({ url, key }: OtherEmulator, signal: AbortSignal): Promise<void> {
  try {
    const response = await get(url + presencePath, signal, { 'x-api-key': key });
    response.resume();
    await once(response, 'close');
  } catch {
    // An emulator that is not reached, or was cut off, has gone.
  }
}

async function get(url: string, signal: AbortSignal, headers: http.OutgoingHttpHeaders = {}): Promise<IncomingMessage> {
  const [response]: IncomingMessage[] = await once(http.get(url, { agent: false, signal, headers }), 'response');
  if (response === undefined) {
    throw new Error('There was no answer.');
  }
  return response;
}
