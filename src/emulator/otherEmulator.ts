import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

/** Address and key of another emulator on this machine. */
export interface OtherEmulator {
  readonly url: string;
  readonly key: string;
}

/** Path of a response that stays open until the emulator ends. */
export const presencePath = '/_emulator/presence';

/**
 * Time limit for the holder of a lock to respond, in milliseconds. The holder may first have to find out whether it still needs the lock.
 */
const patience = 8_000;
const maxBytes = 4_096;

const holderSchema = z.object({ key: z.string().min(1) });

/**
 * Asks the program that listens on a port of this machine whether it has the lock at `path`. Returns `undefined` if the program does not
 * confirm that. `holder` is `undefined` for an older version, which does not share its key, and for an emulator that does not respond in
 * time.
 */
export async function askHolder(port: number, path: string): Promise<{ readonly holder: OtherEmulator | undefined } | undefined> {
  const url = `http://127.0.0.1:${port}`;
  const late = AbortSignal.timeout(patience);
  try {
    const response = await get(url + path, late);
    const length = Number(response.headers['content-length'] ?? Number.NaN);
    if (response.statusCode !== 200 || !(length <= maxBytes)) {
      response.destroy();
      return response.statusCode === 204 ? { holder: undefined } : undefined;
    }
    const { key } = holderSchema.parse(JSON.parse(await text(response)));
    return { holder: { url, key } };
  } catch {
    return late.aborted ? { holder: undefined } : undefined;
  }
}

/** Resolves when another emulator has ended, or when the signal aborts. */
export async function untilGone({ url, key }: OtherEmulator, signal: AbortSignal): Promise<void> {
  try {
    const response = await get(url + presencePath, signal, { 'x-api-key': key });
    response.resume();
    await once(response, 'close');
  } catch {
    // An emulator that can't be reached, or whose connection broke, has ended.
  }
}

async function get(url: string, signal: AbortSignal, headers: http.OutgoingHttpHeaders = {}): Promise<IncomingMessage> {
  const [response]: IncomingMessage[] = await once(http.get(url, { agent: false, signal, headers }), 'response');
  if (response === undefined) {
    throw new Error('There was no answer.');
  }
  return response;
}
