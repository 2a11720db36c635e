import type { ModelRow, Row } from '../../src/shared/session/rows/rows';
import { messageRow, toolRow } from './panelFixtures';

const start = Date.UTC(2026, 0, 5, 9, 30);
const minute = 60_000;

export const longSessionThreads = [
  { id: 'thread_1', name: 'Main', isPrimary: true, status: 'idle', waiting: 0, archived: false },
  { id: 'thread_2', name: 'Link checker', isPrimary: false, status: 'idle', waiting: 0, archived: false },
];

/** Returns three minutes of work, two hours of waiting for an answer, four minutes of work, a night, and the rest of the work. */
export function longSession(): Row[] {
  const at = (seq: number, minutes: number): { key: string; seq: number; at: number } => ({
    ...{ key: `sevt_${seq}`, seq, at: start + minutes * minute },
  });
  const model = (seq: number, from: number, to: number, more: Partial<ModelRow> = {}): Row => ({
    ...{ ...at(seq, from), kind: 'model', type: 'span.model_request_start', summary: 'Model request', isError: false },
    ...{ end: { seq: seq + 1, at: start + to * minute }, durationMs: (to - from) * minute, ...more },
  });
  const status = (seq: number, minutes: number, word: string, stopReason?: string): Row => ({
    ...{ ...at(seq, minutes), kind: 'status', type: `session.status_${word}`, summary: word, status: word },
    ...(stopReason === undefined ? {} : { stopReason }),
  });
  const result = (seq: number, minutes: number) => ({ parts: [], isError: false, seq, at: start + minutes * minute });
  return [
    { ...messageRow(0, 'Please check the links.', { kind: 'user' }), ...at(0, 0) },
    status(1, 0, 'running'),
    model(2, 0, 3, { tokens: { input: 2000, output: 500, cacheRead: undefined, cacheWrite: undefined } }),
    {
      ...{ ...toolRow(4), ...at(4, 3), askSeq: 5, result: result(8, 130), durationMs: 4 * minute },
      confirmation: { result: 'allow', seq: 6, at: start + 126 * minute },
    },
    status(5, 3, 'idle', 'requires_action'),
    status(7, 126, 'running'),
    status(9, 130, 'idle', 'end_turn'),
    { ...messageRow(10, 'And now fix them.', { kind: 'user' }), ...at(10, 790) },
    status(11, 790, 'running'),
    model(12, 790, 796, { model: '<b>huge</b>', tokens: { input: 900, output: 90, cacheRead: 4, cacheWrite: undefined } }),
    { ...toolRow(14), ...at(14, 796), name: 'read', thread: 'thread_2', result: result(15, 800), durationMs: 4 * minute },
    { ...toolRow(16), ...at(16, 800), name: 'edit', result: result(17, 803), durationMs: 3 * minute },
    model(18, 803, 808, { tokens: { input: 100, output: 50, cacheRead: 5000, cacheWrite: undefined } }),
    { ...messageRow(20, 'All links work.'), ...at(20, 808) },
    status(21, 808, 'idle', 'end_turn'),
  ];
}
