import { jsonOf } from '../../jsonOf';
import { maskSecrets } from '../../maskedJson';
import { redact } from '../../redaction';
import type { TranscriptEvent } from '../event';
import { objectOf } from '../eventFields';
import { noteTitle } from '../rows/noteEvents';
import type { Part, Row } from '../rows/rows';
import { statusWords, toolStateWords } from '../rows/rowWords';
import { Transcript } from '../transcript';
import { inEnglish } from '../translateText';

/** Facts about a session for the first line of its transcript. */
interface TranscriptHead {
  readonly id: string;
  readonly connection: string;
  readonly title: string;
  readonly agent: string;
  readonly state: string;
}

/** Maximum length of a transcript in characters: about 100,000 tokens. */
export const maxTranscript = 400_000;
const maxEvent = 8_000;
/** Share of the maximum length that is used for the start of a text. The rest is used for its end. */
const startShare = 0.4;

/**
 * Returns a session's log as text for a model, with secrets redacted and images and files as names. Each event begins with its ID in square
 * brackets at the start of a line, and the event's content is indented, so that the content can't imitate an event. Leaves out the middle
 * of a log that is longer than `maxLength` characters, with a notice.
 */
export function toTranscriptText(head: TranscriptHead, events: readonly TranscriptEvent[], maxLength = maxTranscript): string {
  const transcript = new Transcript();
  transcript.append(events.map(event => maskSecrets(event)));
  const blocks = [...transcript.wholeRows()].flatMap(toBlock);
  const facts = JSON.stringify({ ...head, title: redact(head.title) }).replaceAll('>', '\\u003e');
  return `<session ${facts}>\n${cutMiddle(blocks, maxLength).join('')}</session>`;
}

/** Parses the session and the connection in the first line of a transcript. Returns `undefined` for any other text. */
export function readTranscriptHead(text: string): Pick<TranscriptHead, 'id' | 'connection'> | undefined {
  const match = /^<session (\{.*\})>\n/.exec(text);
  const { id, connection } = objectOf(jsonOf(match?.[1] ?? '')) ?? {};
  return typeof id === 'string' && typeof connection === 'string' ? { id, connection } : undefined;
}

/** Returns the content of one event of a transcript, or `undefined` if the transcript has no such event. */
export function eventInTranscript(text: string, eventId: string): string | undefined {
  const start = text.indexOf(`\n[${eventId}] `);
  if (start < 0) {
    return undefined;
  }
  const end = text.slice(start + 1).search(/\n(?! )/);
  return end < 0 ? text.slice(start + 1) : text.slice(start + 1, start + 1 + end);
}

function toBlock(row: Row): readonly string[] {
  const [heading, ...parts] = wordsOf(row);
  if (heading === undefined) {
    return [];
  }
  const body = cutEvent(redact(parts.filter(part => part !== '').join('\n')));
  const indented = body === '' ? '' : `  ${body.replaceAll(/\r\n|[\r\n]/g, '\n  ')}\n`;
  return [`[${row.key}] ${heading.replaceAll(/\s+/g, ' ').trim()}\n${indented}`];
}

function wordsOf(row: Row): readonly string[] {
  switch (row.kind) {
    case 'user':
      return [row.type === 'user.message' ? 'user' : row.type, ...row.parts.map(textOfPart)];
    case 'agent':
    case 'system':
    case 'thinking':
      return [row.kind, ...row.parts.map(textOfPart)];
    case 'tool': {
      const name = row.server === undefined ? row.name : `${row.server}: ${row.name}`;
      const { confirmation, result } = row;
      return [
        `tool ${name}, ${toolStateWords(row, inEnglish)}`,
        textOfPart(row.input),
        confirmation === undefined ? '' : ['answer:', confirmation.result, confirmation.denyMessage ?? ''].join(' ').trim(),
        ...(result === undefined ? [] : [result.isError ? 'result (error):' : 'result:', ...result.parts.map(textOfPart)]),
      ];
    }
    case 'status':
      return row.status === 'running' ? [] : [statusWords(row, inEnglish)];
    case 'error':
      return [`error ${row.errorType}`, row.message];
    case 'outcome':
      return ['outcome', row.description ?? '', row.result ?? '', row.explanation ?? ''];
    case 'thread':
      return [`thread ${row.step}: ${row.agentName || row.otherThread}`, ...row.parts.map(textOfPart)];
    case 'unknown':
      return [row.type || 'unknown', textOfPart(row.json)];
    case 'run':
      return [`workflow run ${row.name}`, row.result ?? ''];
    case 'note':
      return [noteTitle(row, inEnglish).toLowerCase(), row.details?.type === 'text' ? textOfPart(row.details) : ''];
    case 'model':
    case 'usage':
    case 'update':
    case 'gap':
      return [];
  }
}

function textOfPart(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'json':
      return part.text;
    case 'image':
      return `(image ${part.name})`;
    case 'document':
      return `(file ${part.title || part.source})`;
    case 'redacted':
      return '(redacted by the service)';
  }
}

function cutEvent(text: string): string {
  if (text.length <= maxEvent) {
    return text;
  }
  const start = Math.floor(maxEvent * startShare);
  const end = text.length - (maxEvent - start);
  return `${whole(text.slice(0, start))}\n(${end - start} characters left out)\n${whole(text.slice(end))}`;
}

/** Removes half of a surrogate pair at the start or the end of a text. */
function whole(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '').replace(/^[\udc00-\udfff]/, '');
}

function cutMiddle(blocks: readonly string[], maxLength: number): readonly string[] {
  if (blocks.reduce((sum, { length }) => sum + length, 0) <= maxLength) {
    return blocks;
  }
  const from = countWithin(blocks, maxLength * startShare);
  const tail = countWithin([...blocks].reverse().slice(0, blocks.length - from), maxLength * (1 - startShare));
  const to = blocks.length - tail;
  return [...blocks.slice(0, from), `(${to - from} events left out)\n`, ...blocks.slice(to)];
}

function countWithin(blocks: readonly string[], maxLength: number): number {
  let sum = 0;
  const over = blocks.findIndex(({ length }) => {
    sum += length;
    return sum > maxLength;
  });
  return over < 0 ? blocks.length : over;
}
