import { canonical } from '../../schema/jsonValues';
import { toArgumentsLine } from '../rows/argumentsLine';
import { textOfParts, toSummary } from '../rows/parts';
import { partsOf } from '../rows/rowParts';
import type { Part, Row, ToolState } from '../rows/rows';
import type { Transcript } from '../transcript';

export type StepKind = 'message' | 'text' | 'call' | 'answer' | 'error' | 'outcome' | 'other';

/** A step of a turn, without ids and times, so that it can be compared with another session. */
export interface ComparedStep {
  readonly kind: StepKind;
  readonly key: string;
  /** Tool, error type, or another name. Only steps with the same name are compared. */
  readonly name: string;
  /** Message text, or the arguments of a call. JSON has sorted keys. */
  readonly asked: string;
  readonly came: string;
  /** Images and documents, whose texts only name them. */
  readonly data: string;
  /** State of a call; '' for other steps. */
  readonly state: ToolState | '';
  /** First line of `asked` and of `came`, safe as labels. */
  readonly words: string;
  readonly cameWords: string;
}

/** Returns the step of a complete row, or `undefined` for bookkeeping: states, model requests, usage. An answer is still a `text` here. */
export function toStep(row: Row, log: Pick<Transcript, 'partOf'>): ComparedStep | undefined {
  const parts = partsOf(row);
  const data = parts.flatMap(({ part, path }) => (part.type === 'image' || part.type === 'document' ? toData(row.key, path, log) : []));
  const base = { key: row.key, name: '', came: '', data: data.join('\n'), state: '' as const, words: row.summary, cameWords: '' };
  const text = textOf(parts);
  switch (row.kind) {
    case 'user':
      return { ...base, kind: 'message', name: row.type === 'user.message' ? '' : row.type, asked: text };
    case 'agent':
      return { ...base, kind: 'text', asked: text };
    case 'tool': {
      const result = parts.slice(1);
      return {
        ...{ ...base, kind: 'call', name: row.server === undefined ? row.name : `${row.server}: ${row.name}`, state: row.state },
        ...{ asked: textOf(parts.slice(0, 1)), came: textOf(result) },
        words: toSummary(toArgumentsLine(row.input.type === 'json' ? row.input.text : '')),
        cameWords: toSummary(textOfParts(result.map(({ part }) => part))),
      };
    }
    case 'error':
      return { ...base, kind: 'error', name: row.errorType, asked: row.message, came: row.retry ?? '' };
    case 'outcome':
      return row.step === 'defined'
        ? { ...base, kind: 'outcome', name: 'defined', asked: `${row.description ?? ''}\n${text}` }
        : { ...base, kind: 'outcome', name: 'judged', asked: row.result ?? row.step, came: row.explanation ?? '' };
    case 'thread':
      return { ...base, kind: 'other', name: `${row.step} ${row.agentName}`, asked: text };
    case 'status':
      // Other states belong to the turn.
      return row.thread === undefined && ['interrupt', 'terminated', 'deleted'].includes(row.status)
        ? { ...base, kind: 'other', name: row.status, asked: '' }
        : undefined;
    case 'system':
    case 'update':
      return { ...base, kind: 'other', name: row.type, asked: text };
    case 'run':
      return { ...base, kind: 'other', name: 'workflow_run', asked: row.name, came: row.result ?? '' };
    // In an event of an unknown type, ids can't be separated from the content.
    case 'unknown':
    case 'compaction':
      return { ...base, kind: 'other', name: row.type, asked: '' };
    case 'thinking':
    case 'model':
    case 'usage':
    case 'gap':
      return undefined;
  }
}

function toData(key: string, path: string, log: Pick<Transcript, 'partOf'>): string {
  const whole = log.partOf(key, path);
  return [whole?.mediaType, whole?.text, whole?.data].join(' ');
}

function textOf(parts: ReturnType<typeof partsOf>): string {
  return parts.map(({ part }) => textOfPart(part)).join('\n');
}

function textOfPart(part: Part): string {
  switch (part.type) {
    case 'json':
      return sorted(part.text);
    case 'text':
      return part.text;
    case 'image':
      return `[${part.name}]`;
    case 'document':
      return part.text ?? `[${part.title}]`;
    case 'redacted':
      return '';
  }
}

function sorted(json: string): string {
  try {
    return json === '' ? '' : JSON.stringify(JSON.parse(canonical(JSON.parse(json))), undefined, 2);
  } catch {
    return json;
  }
}
