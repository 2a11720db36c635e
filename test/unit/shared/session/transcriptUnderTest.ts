import type { TranscriptEvent } from '../../../../src/shared/session/event';
import type { Row, ToolRow } from '../../../../src/shared/session/rows/rows';
import { Transcript } from '../../../../src/shared/session/transcript';

export function rowsOf(events: readonly TranscriptEvent[]): readonly Row[] {
  const transcript = new Transcript();
  transcript.append(events);
  return transcript.rows;
}

export function toolsOf(rows: readonly Row[]): readonly ToolRow[] {
  return rows.filter(row => row.kind === 'tool');
}

export const message = (id: string, text: string, more: object = {}): TranscriptEvent => ({
  type: 'user.message',
  id,
  content: [{ type: 'text', text }],
  processed_at: '2026-11-21T09:00:00.000Z',
  ...more,
});
