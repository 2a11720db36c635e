import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Arrival } from '../files/arrival';
import { joinResults } from './resultsJoin';

const results = 4000;
const rounds = 4;
/**
 * Distance between the requests of two consecutive answers. Coprime to the number of results, so that each request is answered once. The
 * answers are in another order than the requests.
 */
const stride = 7;
const nobody = { throwIfAborted: () => {}, progress: () => {} };

/**
 * Joins made-up results in a temporary folder within `folder`, and deletes that folder afterwards. The trial makes the engine compile the
 * code of a join. The first join in a thread takes twice as long as the fifth. With few results, nearly all of that time is compilation.
 */
export async function practiseJoin(folder: string): Promise<void> {
  const own = mkdtempSync(path.join(folder, 'managed-agents-'));
  const at = (name: string) => path.join(own, name);
  try {
    const raw = Buffer.from(Array.from({ length: results }, (_, index) => lineOf((index * stride) % results)).join(''));
    writeFileSync(at('raw'), raw);
    writeFileSync(at('lines'), Array.from({ length: results }, (_, line) => `${line}\t${idOf(line)}\n`).join(''));
    for (let round = 0; round < rounds; round++) {
      const arrival = new Arrival();
      arrival.complete(raw.length);
      const paths = { rawPath: at('raw'), linesPath: at('lines'), joinedPath: at('joined'), indexPath: at('index') };
      await joinResults({ ...paths, arrival: arrival.shared }, nobody);
    }
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function idOf(number: number): string {
  return `request-${number}`;
}

function lineOf(number: number): string {
  const failed = { type: 'errored', error: { type: 'error', error: { type: 'api_error', message: `it said "no" ${number} times` } } };
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'some "words" and\n'.repeat(10 + (number % 20)) }],
    stop_reason: number % 3 === 0 ? 'max_tokens' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: number, output_tokens: 7, cache_read_input_tokens: 0, cache_creation_input_tokens: null },
  };
  return `${JSON.stringify({ custom_id: idOf(number), result: number % 10 === 9 ? failed : { type: 'succeeded', message } })}\n`;
}
