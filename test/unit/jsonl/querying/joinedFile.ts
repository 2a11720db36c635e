import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PassContext } from '../../../../src/jsonl/files/lineFile';
import type { JoinedResults } from '../../../../src/jsonl/results/joinedResults';
import { joinResults } from '../../../../src/jsonl/results/resultsJoin';

export const quiet: PassContext = { throwIfAborted: () => {}, progress: () => {} };

/** Returns a succeeded result with a text. `more` adds fields to the message. */
export function succeeded(text: string, { input = 2, output = 3, stop = 'end_turn', more = {} } = {}): object {
  return {
    type: 'succeeded',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text }],
      stop_reason: stop,
      usage: { input_tokens: input, output_tokens: output },
      ...more,
    },
  };
}

export function errored(message: string, type = 'invalid_request_error'): object {
  return { type: 'errored', error: { type: 'error', error: { type, message }, request_id: 'req_1' } };
}

/** Joins results in a new folder. The line number of a request is its index in `results`. */
export async function makeJoined(
  results: readonly (readonly [id: string, result: object | undefined])[],
  requestsPath?: string,
): Promise<JoinedResults & { readonly folder: string; readonly linesPath: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'joined-'));
  const file = (name: string) => path.join(folder, name);
  const joined = { joinedPath: file('a.results.jsonl'), indexPath: file('a.index'), linesPath: file('lines.tsv'), folder };
  await writeFile(joined.linesPath, results.map(([id], line) => `${line}\t${id}\n`).join(''));
  const answered = results.filter(([, result]) => result !== undefined).reverse();
  await writeFile(file('raw.jsonl'), answered.map(([id, result]) => `${JSON.stringify({ custom_id: id, result })}\n`).join(''));
  await joinResults({ ...joined, rawPath: file('raw.jsonl'), ...(requestsPath !== undefined && { requestsPath }) }, quiet);
  return { ...joined, remove: () => rm(folder, { recursive: true, force: true }) };
}
