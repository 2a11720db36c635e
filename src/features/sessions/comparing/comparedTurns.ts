import { canonical } from '../../../shared/schema/jsonValues';
import { eachBucket, noTokens } from '../../../shared/session/facts/tokens';
import { toTokensOverTime } from '../../../shared/session/facts/tokensOverTime';
import { toArgumentsLine } from '../../../shared/session/rows/argumentsLine';
import { textOfParts, toSummary } from '../../../shared/session/rows/parts';
import { partsOf } from '../../../shared/session/rows/rowParts';
import type { Part, Row, TokenBuckets, ToolState } from '../../../shared/session/rows/rows';
import type { Transcript } from '../../../shared/session/transcript';
import type { Pieces } from './alignSequences';

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
  /** Content of images and documents. `asked` and `came` only contain the names. */
  readonly data: string;
  /** State of a call; '' for other steps. */
  readonly state: ToolState | '';
  /** First line of `asked` and of `came`, safe as labels. */
  readonly words: string;
  readonly cameWords: string;
}

/**
 * Returns the step of a complete row, or `undefined` for bookkeeping (states, model requests, usage). Never returns an `answer`, because
 * `toTurns` detects answers.
 */
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
      // Other states are facts about the turn, not steps.
      return row.thread === undefined && ['interrupt', 'terminated', 'deleted'].includes(row.status)
        ? { ...base, kind: 'other', name: row.status, asked: '' }
        : undefined;
    case 'system':
    case 'update':
      return { ...base, kind: 'other', name: row.type, asked: text };
    case 'run':
      return { ...base, kind: 'other', name: 'workflow_run', asked: row.name, came: row.result ?? '' };
    // The content of an unknown event is not compared, because it may contain ids.
    case 'unknown':
      return { ...base, kind: 'other', name: row.type, asked: '' };
    case 'note':
      return { ...base, kind: 'other', name: row.type, asked: row.details?.type === 'text' ? text : '' };
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

/** A turn, from one message of the user to the next. */
export interface ComparedTurn {
  /** Key of its first event. */
  readonly key: string;
  readonly steps: readonly ComparedStep[];
  readonly asked: string;
  readonly words: string;
  /** Last stop reason, such as `end_turn`. '' while the turn runs, or without a stop reason. */
  readonly end: string;
  readonly calls: number;
  /** Tokens that were reported during the turn. `undefined` if no tokens were reported. */
  readonly tokens: TokenBuckets | undefined;
}

interface OpenTurn {
  readonly first: Row;
  readonly steps: ComparedStep[];
  end: string;
}

const rowsAtOnce = 2000;

/**
 * Yields the turns of a log. A turn starts with the user's first message after the agent did something. Consecutive messages count as one
 * message. Events before the first message belong to the first turn, so that every event is in exactly one turn.
 */
export function* toTurns(log: Pick<Transcript, 'wholeRows' | 'partOf'>): Pieces<readonly ComparedTurn[]> {
  const turns: OpenTurn[] = [];
  const usage: Row[] = [];
  let count = 0;
  let isAnswered = false;
  for (const row of log.wholeRows()) {
    const step = toStep(row, log);
    const isMessage = row.thread === undefined && (row.type === 'user.message' || (row.kind === 'outcome' && row.step === 'defined'));
    let turn = turns.at(-1);
    if (turn === undefined || (isMessage && isAnswered)) {
      turn = { first: row, steps: [], end: '' };
      turns.push(turn);
      isAnswered = false;
    }
    isAnswered ||= !isMessage && (step !== undefined || row.kind === 'model');
    if (step !== undefined) {
      turn.steps.push(step);
    }
    if (row.kind === 'status' && row.type.startsWith('session.status_')) {
      turn.end = row.stopReason ?? (row.status === 'running' ? '' : row.status);
    }
    if (row.kind === 'model' || row.kind === 'usage') {
      usage.push(row);
    }
    if (++count % rowsAtOnce === 0) {
      yield;
    }
  }
  const tokens = tokensOf(
    usage,
    turns.map((_, index) => turns[index + 1]?.first.seq ?? Number.POSITIVE_INFINITY),
  );
  return turns.map((turn, index) => toTurn(turn, tokens[index]));
}

function toTurn({ first, steps, end }: OpenTurn, tokens: TokenBuckets | undefined): ComparedTurn {
  const last = steps.findLastIndex(({ kind }) => kind === 'text' || kind === 'call');
  const answer = steps[last];
  // Text before a call announces the call. Text without a later call is the answer.
  if (answer?.kind === 'text') {
    steps[last] = { ...answer, kind: 'answer' };
  }
  const asked = steps.filter(({ kind, name }) => kind === 'message' && name === '');
  const calls = steps.filter(({ kind }) => kind === 'call').length;
  return { key: first.key, steps, end, calls, tokens, asked: asked.map(step => step.asked).join('\n'), words: asked[0]?.words ?? '' };
}

/** Returns the tokens of each turn, by the sequence numbers (exclusive) at which the turns end. `undefined` if nothing was reported. */
function tokensOf(usage: readonly Row[], ends: readonly number[]): readonly (TokenBuckets | undefined)[] {
  const points = toTokensOverTime(usage);
  let next = 0;
  let before = noTokens;
  return ends.map(end => {
    let now = before;
    for (let point = points[next]; point !== undefined && point.seq < end; point = points[++next]) {
      now = point.tokens;
    }
    const earlier = before;
    before = now;
    return now === earlier ? undefined : eachBucket(bucket => difference(earlier[bucket], now[bucket]));
  });
}

function difference(before: number | undefined, now: number | undefined): number | undefined {
  return now === undefined ? undefined : now - (before ?? 0);
}
