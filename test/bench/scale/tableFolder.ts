// Writes the joined results that a run of the row `scale` reads: tableFolder FOLDER COUNT. The answers are of twenty models, and one
// request in fifty failed.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { joinResults } from '../../../src/jsonl/results/resultsJoin';
import { groups, modelOf, reportFile } from './tablePart';

const [folder = '', wanted = ''] = process.argv.slice(2);
const count = Number(wanted);
const file = (name: string) => path.join(folder, name);
const words = 'the quick brown fox jumps over a lazy dog and then writes more text with "quotes" and é and 😀 \n'.repeat(7);

function lineOf(row: number): string {
  const usage = { input_tokens: 20 + (row % 90), output_tokens: 120 + (row % 700) };
  const content = [{ type: 'text', text: `${row} ${words.slice(row % 90)}` }];
  const message = {
    id: `msg_${row}`,
    type: 'message',
    role: 'assistant',
    model: modelOf(row % groups),
    content,
    stop_reason: 'end_turn',
    usage,
  };
  const error = { type: 'error', error: { type: 'overloaded_error', message: `Overloaded at ${row}` } };
  const result = row % 50 === 7 ? { type: 'errored', error } : { type: 'succeeded', message };
  return `${JSON.stringify({ custom_id: idOf(row), result })}\n`;
}

const idOf = (row: number) => `req-${String(row).padStart(6, '0')}`;
const rows = Array.from({ length: count }, (_, row) => row);
mkdirSync(folder, { recursive: true });
writeFileSync(file('raw'), rows.map(lineOf).join(''));
writeFileSync(file('lines'), rows.map(row => `${row}\t${idOf(row)}\n`).join(''));
const { report } = await joinResults(
  { rawPath: file('raw'), linesPath: file('lines'), joinedPath: file('joined.jsonl'), indexPath: file('index') },
  { signal: new AbortController().signal, throwIfAborted: () => {}, progress: () => {} },
);
writeFileSync(file(reportFile), JSON.stringify(report));
console.log('{}');
