import { canonical } from '../../schema/jsonValues';
import { toArgumentsLine } from '../rows/argumentsLine';
import { textOfParts, toSummary } from '../rows/parts';
import { partsOf } from '../rows/rowParts';
import type { OutcomeRow, Part, Row, StatusRow, ThreadRow, ToolRow } from '../rows/rows';
import type { Transcript } from '../transcript';

export const stepKinds = ['message', 'text', 'call', 'answer', 'error', 'outcome', 'other'] as const;
export type StepKind = (typeof stepKinds)[number];

/** Something that happened in a turn, by what can be compared with another session: without ids and times. */
export interface ComparedStep {
  readonly kind: StepKind;
  /** Key of its row. */
  readonly key: string;
  /** Tool, type of an error, or what else it is called: only what is called the same is compared. */
  readonly name: string;
  /** What was said, or the arguments of a call, keys in order. */
  readonly asked: string;
  /** What came of it: the result of a call, the judgement of an outcome. */
  readonly came: string;
  /** How a call stands: a `ToolState`; '' for everything else. */
  readonly state: string;
  /** One line of `asked` and of `came`, safe as labels. */
  readonly words: string;
  readonly cameWords: string;
}

/** What the log of a session is read by. */
export type ComparedLog = Pick<Transcript, 'wholeRows' | 'partOf' | 'events'>;

/** The text of a part, whole. */
export type PartReader = (part: Part, key: string, path: string, log: ComparedLog) => string;

/** The step that a row is; undefined for bookkeeping: states, requests to the model, usage. An answer is a text here still. */
export function toStep(row: Row, log: ComparedLog, read: PartReader = comparedText): ComparedStep | undefined {
  const textOf = (of: Row): string => joined(of, log, read);
  const base = { key: row.key, name: '', came: '', state: '', words: row.summary, cameWords: '' };
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
      return { ...base, kind: 'other', name: nameOfThread(row), asked: textOf(row) };
    case 'status':
      return isAct(row) ? { ...base, kind: 'other', name: row.status, asked: '' } : undefined;
    case 'system':
    case 'update':
      return { ...base, kind: 'other', name: row.type, asked: textOf(row) };
    // What is in an event of an unknown type cannot be told from its ids.
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

function toCall(
  row: ToolRow,
  log: ComparedLog,
  read: PartReader,
): Pick<ComparedStep, 'kind' | 'name' | 'asked' | 'came' | 'state' | 'words' | 'cameWords'> {
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

function nameOfThread({ step, agentName }: ThreadRow): string {
  return `${step} ${agentName}`;
}

/** What somebody did, or what ends everything; other states are told of the turn. */
function isAct({ status, thread }: StatusRow): boolean {
  return thread === undefined && (status === 'interrupt' || status === 'terminated' || status === 'deleted');
}

function joined(row: Row, log: ComparedLog, read: PartReader): string {
  return partsOf(row)
    .map(({ part, path }) => read(part, row.key, path, log))
    .join('\n');
}

/** A part by which it is compared: JSON with its keys in order, of a picture what it holds. */
const comparedText: PartReader = (part, key, path, log) => {
  switch (part.type) {
    case 'json':
      return sorted(wholeText(part, key, path, log), undefined);
    case 'text':
      return wholeText(part, key, path, log);
    case 'image':
    case 'document': {
      const whole = log.partOf(key, path);
      return [part.type, whole?.mediaType ?? '', whole?.text ?? '', whole?.data ?? ''].join(' ');
    }
    case 'redacted':
      return '';
  }
};

/** A part as people read it: JSON in lines with its keys in order, of a picture its name. */
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
