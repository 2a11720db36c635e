import { defined } from '../../../shared/defined';
import type { TranscriptEvent } from '../../../shared/session/event';
import { type Fields, listOf, objectOf, textOf } from '../../../shared/session/eventFields';
import type { RowFilter } from '../../../shared/session/sessionProtocol';
import type { ExportHeader } from './sessionJsonl';
import type { ServiceObject } from './sessionSource';

/** Reason why a line was skipped. */
export type ExportProblem = 'tooLong' | 'notUtf8' | 'notJson' | 'tooDeep' | 'notAnEvent';

/** Content of an exported file. `line` is 1-based. */
export interface ReadExport {
  readonly header: ExportHeader | undefined;
  /** Version of the format, if it is newer than supported. */
  readonly newerVersion: number | undefined;
  readonly events: readonly TranscriptEvent[];
  readonly threads: ReadonlyMap<string, readonly TranscriptEvent[]>;
  readonly problems: readonly { readonly line: number; readonly problem: ExportProblem }[];
}

const stepBytes = 1024 * 1024;
const maxLineBytes = 32 * 1024 * 1024;
const maxDepth = 512;
const lineFeed = 0x0a;
const version = 1;

/**
 * Reads an exported session: JSON Lines with or without a header. Only LF ends a line. CR, a byte order mark and blank lines are tolerated.
 * Unreadable lines are reported and skipped. Yields after each MB of lines, so that other work gets a turn.
 */
export function* readExportInSteps(bytes: Uint8Array): Generator<undefined, ReadExport, void> {
  const events: TranscriptEvent[] = [];
  const threads = new Map<string, TranscriptEvent[]>();
  const problems: { line: number; problem: ExportProblem }[] = [];
  let header: ExportHeader | undefined;
  let newerVersion: number | undefined;
  let log = events;
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let stepEnd = start + stepBytes;
  for (let from = start, line = 1; from < bytes.length; line++) {
    const found = bytes.indexOf(lineFeed, from);
    const end = found < 0 ? bytes.length : found;
    const fields = readLine(bytes.subarray(from, end));
    if (typeof fields === 'string') {
      problems.push({ line, problem: fields });
    } else if (fields?.type === 'export.header') {
      newerVersion = typeof fields.version === 'number' && fields.version > version ? fields.version : undefined;
      header ??= toHeader(fields);
    } else if (fields?.type === 'export.thread') {
      const thread = textOf(fields.session_thread_id) ?? '';
      log = thread === '' ? events : (threads.get(thread) ?? []);
      if (thread !== '') {
        threads.set(thread, log);
      }
    } else if (fields !== undefined) {
      log.push((fields.type === 'export.event' ? fields.event : fields) as TranscriptEvent);
    }
    from = end + 1;
    if (from > stepEnd) {
      stepEnd = from + stepBytes;
      yield undefined;
    }
  }
  return { header, newerVersion, events, threads, problems };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the object in a line, or the problem of an unreadable line. Returns `undefined` for a blank line. */
function readLine(bytes: Uint8Array): Fields | ExportProblem | undefined {
  if (bytes.length > maxLineBytes) {
    return 'tooLong';
  }
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return 'notUtf8';
  }
  try {
    const fields = text.trim() === '' ? undefined : (objectOf(JSON.parse(text)) ?? {});
    const event = fields?.type === 'export.event' ? objectOf(fields.event) : fields;
    return isTooDeep(fields) ? 'tooDeep' : fields !== undefined && textOf(event?.type) === undefined ? 'notAnEvent' : fields;
  } catch {
    return 'notJson';
  }
}

function toHeader(fields: Fields): ExportHeader {
  return {
    exportedAt: textOf(fields.exported_at) ?? '',
    source: textOf(fields.source) ?? '',
    threads: listOf(fields.threads).flatMap(thread => toServiceObject(thread) ?? []),
    ...defined({ session: toServiceObject(fields.session), filtered: objectOf(fields.filtered) as RowFilter | undefined }),
  };
}

function toServiceObject(value: unknown): ServiceObject | undefined {
  const fields = objectOf(value);
  return typeof fields?.id === 'string' ? (fields as ServiceObject) : undefined;
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return depth > maxDepth || Object.values(value).some(inner => isTooDeep(inner, depth + 1));
}
