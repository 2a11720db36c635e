import type { TranscriptEvent } from '../../../shared/session/event';
import { gapEventType } from '../../../shared/session/rows/eventRows';
import { isShown } from '../../../shared/session/rows/rowKinds';
import type { RowFilter } from '../../../shared/session/sessionProtocol';
import type { Transcript } from '../../../shared/session/transcript';
import type { ServiceObject } from './sessionSource';

/** First line of an exported file: facts about the file and the session. */
export interface ExportHeader {
  readonly exportedAt: string;
  /** Name of the connection, and its host. */
  readonly source: string;
  /** The session and its threads as retrieved. Missing if unknown. */
  readonly session?: ServiceObject;
  readonly threads?: readonly ServiceObject[];
  readonly filtered?: RowFilter;
}

/** Log of one thread. The thread '' is the session's own log. */
export interface ExportLog {
  readonly thread: string;
  readonly events: Iterable<TranscriptEvent>;
}

const exportFormat = 'managed-agents-session';

/**
 * Yields a session as JSON Lines, each with its line feed: a header, then the unchanged events of each log. The log of another thread
 * starts with a line that names the thread. An `export.gap` line marks where events may be missing, with the reason.
 */
export function* exportJsonl(header: ExportHeader, logs: Iterable<ExportLog>): Generator<string> {
  const { exportedAt, source, session, threads, filtered } = header;
  yield toLine({
    type: 'export.header',
    format: exportFormat,
    version: 1,
    exported_at: exportedAt,
    source,
    session: session ?? null,
    threads: threads ?? [],
    filtered: filtered ?? null,
  });
  let current = '';
  for (const { thread, events } of logs) {
    if (thread !== current) {
      yield toLine({ type: 'export.thread', session_thread_id: thread });
      current = thread;
    }
    for (const event of events) {
      // An event must not look like a line of the export itself.
      yield toLine(event.type.startsWith('export.') && event.type !== gapEventType ? { type: 'export.event', event } : event);
    }
  }
}

/** Returns the events of the rows that pass a filter, in log order. Includes the events folded into those rows, and every gap. */
export function filterEvents(transcript: Transcript, filter: RowFilter): readonly TranscriptEvent[] {
  const { shown: which, query } = filter;
  const found = query === undefined || query === '' ? undefined : new Set(transcript.search(query));
  const shown = new Set<TranscriptEvent>();
  for (const row of transcript.rows) {
    const { key } = row;
    if (isShown(row, which) && (found === undefined || found.has(key))) {
      for (const event of transcript.eventsOf(key)) {
        shown.add(event);
      }
    }
  }
  return transcript.events.filter(event => shown.has(event) || event.type === gapEventType);
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
