import { defined } from '../../defined';
import { jsonOf } from '../../jsonOf';
import type { TranscriptEvent } from '../event';
import { type Fields, listOf, momentOf, objectOf, textOf } from '../eventFields';
import type { RowFilter } from '../sessionProtocol';
import type { ServiceObject } from '../sessionSource';
import type { ExportHeader } from './sessionJsonl';

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
/** Maximum size of a file with a single JSON value, which is read at once, in bytes. */
const maxWholeBytes = 256 * 1024 * 1024;
const maxDepth = 512;
const lineFeed = 0x0a;
const version = 1;

/**
 * Reads an exported session: JSON Lines with or without a header, or one JSON array or page (`{"data": [...]}`) of events. Only LF ends a
 * line. CR, a byte order mark and blank lines are tolerated. Unreadable lines are reported and skipped. Yields after each MB of lines, so
 * that other work gets a turn.
 */
export function* readExportInSteps(bytes: Uint8Array): Generator<undefined, ReadExport, void> {
  const reader = new ExportReader();
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (isOneValue(bytes, start) && reader.readWhole(bytes.subarray(start))) {
    return reader.result();
  }
  let line = 1;
  let stepEnd = start + stepBytes;
  for (let from = start; from < bytes.length; line++) {
    const found = bytes.indexOf(lineFeed, from);
    const end = found < 0 ? bytes.length : found;
    reader.readLine(bytes.subarray(from, end), line);
    from = end + 1;
    if (from > stepEnd) {
      stepEnd = from + stepBytes;
      yield undefined;
    }
  }
  return reader.result();
}

class ExportReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #logs = new Map<string, TranscriptEvent[]>([['', []]]);
  readonly #problems: { line: number; problem: ExportProblem }[] = [];
  #header: ExportHeader | undefined;
  #newerVersion: number | undefined;
  #thread = '';

  readLine(bytes: Uint8Array, line: number): void {
    this.#note(line, bytes.length > maxLineBytes ? 'tooLong' : this.#readText(bytes));
  }

  /** Reads a file that is one array or one page. Returns false if it is neither. */
  readWhole(bytes: Uint8Array): boolean {
    if (bytes.length > maxWholeBytes) {
      return false;
    }
    try {
      const value: unknown = JSON.parse(this.#decoder.decode(bytes));
      const items = Array.isArray(value) ? value : objectOf(value)?.data;
      if (!Array.isArray(items)) {
        return false;
      }
      for (const [index, item] of (isNewestFirst(items) ? items.toReversed() : items).entries()) {
        this.#note(index + 1, this.#take(item));
      }
      return true;
    } catch {
      // The file is not a single JSON value, but its lines may be readable.
      return false;
    }
  }

  result(): ReadExport {
    const events = this.#logs.get('') ?? [];
    const threads = new Map([...this.#logs].filter(([thread]) => thread !== ''));
    return { header: this.#header, newerVersion: this.#newerVersion, events, threads, problems: this.#problems };
  }

  #note(line: number, problem: ExportProblem | undefined): void {
    if (problem !== undefined) {
      this.#problems.push({ line, problem });
    }
  }

  #readText(bytes: Uint8Array): ExportProblem | undefined {
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      return 'notUtf8';
    }
    try {
      return text.trim() === '' ? undefined : this.#take(JSON.parse(text));
    } catch {
      return 'notJson';
    }
  }

  #take(value: unknown): ExportProblem | undefined {
    const fields = objectOf(value);
    const type = textOf(fields?.type);
    if (fields === undefined || type === undefined) {
      return 'notAnEvent';
    }
    if (isTooDeep(fields)) {
      return 'tooDeep';
    }
    if (type === 'export.header') {
      this.#takeHeader(fields);
    } else if (type === 'export.thread') {
      this.#thread = textOf(fields.session_thread_id) ?? '';
    } else {
      const event = type === 'export.event' ? objectOf(fields.event) : fields;
      if (typeof event?.type !== 'string') {
        return 'notAnEvent';
      }
      const log = this.#logs.get(this.#thread) ?? [];
      this.#logs.set(this.#thread, log);
      log.push(event as TranscriptEvent);
    }
    return undefined;
  }

  #takeHeader(fields: Fields): void {
    const session = toServiceObject(fields.session);
    const filtered = objectOf(fields.filtered) as RowFilter | undefined;
    this.#newerVersion = typeof fields.version === 'number' && fields.version > version ? fields.version : undefined;
    this.#header ??= {
      exportedAt: textOf(fields.exported_at) ?? '',
      source: textOf(fields.source) ?? '',
      threads: listOf(fields.threads).flatMap(thread => toServiceObject(thread) ?? []),
      ...defined({ session, filtered }),
    };
  }
}

function toServiceObject(value: unknown): ServiceObject | undefined {
  const fields = objectOf(value);
  return typeof fields?.id === 'string' ? (fields as ServiceObject) : undefined;
}

/** Returns whether the first line of a file isn't an event. The file may then be one JSON value, such as a list or a page of events. */
function isOneValue(bytes: Uint8Array, start: number): boolean {
  let at = start;
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) {
    at++;
  }
  if (bytes[at] === 0x5b) {
    return true;
  }
  const end = bytes.indexOf(lineFeed, at);
  const line = bytes.subarray(at, end < 0 ? bytes.length : end);
  if (bytes[at] !== 0x7b || line.length > maxWholeBytes) {
    return false;
  }
  const first = jsonOf(new TextDecoder().decode(line));
  return first === undefined || (Array.isArray(objectOf(first)?.data) && textOf(objectOf(first)?.type) === undefined);
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return depth > maxDepth || Object.values(value).some(inner => isTooDeep(inner, depth + 1));
}

function isNewestFirst(items: readonly unknown[]): boolean {
  const [first, last] = [items[0], items.at(-1)].map(item => momentOf((objectOf(item) ?? {}) as TranscriptEvent)?.ms);
  return first !== undefined && last !== undefined && first > last;
}
