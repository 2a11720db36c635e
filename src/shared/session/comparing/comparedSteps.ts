import { canonical } from '../../schema/jsonValues';
import { toArgumentsLine } from '../rows/argumentsLine';
import { textOfParts, toSummary } from '../rows/parts';
import { partsOf } from '../rows/rowParts';
import type { OutcomeRow, Part, Row, StatusRow, ToolRow, ToolState } from '../rows/rows';
import type { Transcript } from '../transcript';

export type StepKind = 'message' | 'text' | 'call' | 'answer' | 'error' | 'outcome' | 'other';

/** A step of a turn, without ids and times, so that it can be compared with another session. */
export interface ComparedStep {
  readonly kind: StepKind;
  readonly key: string;
  /** Tool, error type, or another name. Only steps with the same name are compared. */
  readonly name: string;
  /** Message text, or the arguments of a call with sorted keys. */
  readonly asked: string;
  readonly came: string;
  /** State of a call; '' for other steps. */
  readonly state: ToolState | '';
  /** First line of `asked` and of `came`, safe as labels. */
  readonly words: string;
  readonly cameWords: string;
}

/** The parts of a transcript that a comparison reads. */
export type ComparedLog = Pick<Transcript, 'wholeRows' | 'partOf' | 'events'>;

/** Returns the complete text of a part. */
export type PartReader = (part: Part, key: string, path: string, log: ComparedLog) => string;

/** Returns the step of a row, or `undefined` for bookkeeping: states, model requests, usage. An answer is still a `text` here. */
export function toStep(row: Row, log: ComparedLog, read: PartReader = comparedText): ComparedStep | undefined {
  const textOf = (of: Row): string =>
    partsOf(of)
      .map(({ part, path }) => read(part, of.key, path, log))
      .join('\n');
  const base = { key: row.key, name: '', came: '', state: '' as const, words: row.summary, cameWords: '' };
  switch (row.kind) {
    case 'user':
      return { ...base, kind: 'message', name: row.type === 'user.message' ? '' : row.type, asked: textOf(row) };
    case 'agent':
      return { ...base, kind: 'text', asked: textOf(row) };
    case 'tool':
      return { ...base, ...toCall(row, log, read) };
    case 'error':
      return { ...base, kind: 'error', name: row.errorType, asked: row.message, came: row.retry ?? '' };
    case 'outcome':
      return { ...base, ...toOutcome(row, textOf(row)) };
    case 'thread':
      return { ...base, kind: 'other', name: `${row.step} ${row.agentName}`, asked: textOf(row) };
    case 'status':
      return isAct(row) ? { ...base, kind: 'other', name: row.status, asked: '' } : undefined;
    case 'system':
    case 'update':
      return { ...base, kind: 'other', name: row.type, asked: textOf(row) };
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

function toCall(row: ToolRow, log: ComparedLog, read: PartReader): Omit<ComparedStep, 'key'> {
  const [input, ...result] = partsOf(row);
  return {
    kind: 'call',
    name: row.server === undefined ? row.name : `${row.server}: ${row.name}`,
    asked: input === undefined ? '' : read(input.part, row.key, input.path, log),
    came: result.map(({ part, path }) => read(part, row.key, path, log)).join('\n'),
    state: row.state,
    words: toSummary(toArgumentsLine(row.input.type === 'json' ? row.input.text : '')),
    cameWords: toSummary(textOfParts(result.map(({ part }) => part))),
  };
}

function toOutcome(row: OutcomeRow, rubric: string): Pick<ComparedStep, 'kind' | 'name' | 'asked' | 'came'> {
  return row.step === 'defined'
    ? { kind: 'outcome', name: 'defined', asked: `${row.description ?? ''}\n${rubric}`, came: '' }
    : { kind: 'outcome', name: 'judged', asked: row.result ?? row.step, came: row.explanation ?? '' };
}

/** Returns whether a status row is a step: an interrupt, or the end of the session. Other states belong to the turn. */
function isAct({ status, thread }: StatusRow): boolean {
  return thread === undefined && (status === 'interrupt' || status === 'terminated' || status === 'deleted');
}

const comparedText: PartReader = (part, key, path, log) => {
  if (part.type === 'image' || part.type === 'document') {
    const whole = log.partOf(key, path);
    return [part.type, whole?.mediaType ?? '', whole?.text ?? '', whole?.data ?? ''].join(' ');
  }
  return part.type === 'json' ? sorted(wholeText(part, key, path, log), undefined) : shownText(part, key, path, log);
};

/** Returns the readable text of a part: JSON in lines with sorted keys, the name of an image. */
export const shownText: PartReader = (part, key, path, log) => {
  switch (part.type) {
    case 'json':
      return sorted(wholeText(part, key, path, log), 2);
    case 'text':
      return wholeText(part, key, path, log);
    case 'image':
      return `[${part.name}]`;
    case 'document':
      return part.text === undefined ? `[${part.title}]` : wholeText(part, key, path, log);
    case 'redacted':
      return '';
  }
};

function wholeText(part: Extract<Part, { readonly text?: string }>, key: string, path: string, log: ComparedLog): string {
  return (part.cut === undefined ? part.text : log.partOf(key, path)?.text) ?? '';
}

function sorted(json: string, indent: number | undefined): string {
  try {
    const text = json === '' ? '' : canonical(JSON.parse(json));
    return indent === undefined || text === '' ? text : JSON.stringify(JSON.parse(text), undefined, indent);
  } catch {
    return json;
  }
}
