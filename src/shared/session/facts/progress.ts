import { defined } from '../../defined';
import { canonical } from '../../schema/jsonValues';
import { toLabel } from '../../text';
import { callTypes, foreignThreadOf, forTypes, isOfSession, resultTypes, type TranscriptEvent } from '../event';
import { callIdOf, greater, idOf, momentOf, objectOf, textOf } from '../eventFields';
import { toArgumentsLine } from '../rows/argumentsLine';
import { inputOf, nameOf } from '../rows/buildToolRow';
import { textOfMessage } from '../rows/parts';
import { toMoney } from './tokens';
import { restOf, type Turn } from './turn';

/** A call of the current turn. `key` is equal for equal calls, `result` for equal results. */
interface Call {
  readonly ids: readonly string[];
  readonly thread: string | undefined;
  readonly tool: string;
  readonly words: string;
  readonly key: string;
  readonly isOfClient: boolean;
  /** Missing while the call runs. */
  readonly result?: string;
  readonly failure?: string;
}

/** Largest values of a turn. */
export interface TurnExtremes {
  /** Longest time without an event, in milliseconds: with no tool open, and with an open tool. */
  readonly silent: number;
  readonly tool: number;
  /** Numbers of equal calls, of rounds of two alternating calls, and of equal failures. */
  readonly repeats: number;
  readonly rounds: number;
  readonly failures: number;
  /** Cost between two messages, in cents. */
  readonly cents: number;
}

const noExtremes: TurnExtremes = { silent: 0, tool: 0, repeats: 0, rounds: 0, failures: 0, cents: 0 };

/** Lowest limits, for agents without longer turns. Silence: 8 minutes, or 20 minutes with an open tool. */
export const lowestLimits: TurnExtremes = { silent: 8 * 60_000, tool: 20 * 60_000, repeats: 3, rounds: 4, failures: 3, cents: 200 };

/** Facts about the current turn of a session that show whether it makes progress, derived from its log. */
export interface Progress {
  /** Latest event and its time in milliseconds since 1970. */
  readonly lastId?: string | undefined;
  readonly lastAt?: number | undefined;
  readonly isResting: boolean;
  readonly calls: readonly Call[];
  /** Threads of sub-agents. Each entry says whether this log shows the thread's work. */
  readonly threads: ReadonlyMap<string, { readonly isRunning: boolean; readonly isVisible: boolean }>;
  readonly runs: ReadonlySet<string>;
  /** `cents` is the current cost. `base` is the cost at the event `since`: the latest message or start of a turn. */
  readonly spent: { readonly since: string | undefined; readonly base?: number; readonly cents?: number; readonly currency?: string };
  readonly extremes: TurnExtremes;
  /** Latest turns that ended as usual, from which limits are derived. */
  readonly turns: readonly TurnExtremes[];
}

export const noProgress: Progress = {
  isResting: false,
  calls: [],
  threads: new Map(),
  runs: new Set(),
  spent: { since: undefined },
  extremes: noExtremes,
  turns: [],
};

const maxCalls = 64;
const maxTurns = 12;

/** Returns the progress after one more event. `turn` is the latest turn after the event. */
export function progressAfter(before: Progress, event: TranscriptEvent, shownThread: string | undefined, turn: Turn): Progress {
  const at = momentOf(event)?.ms;
  const waited = stretched(before, at);
  const known = { ...before, extremes: waited, lastId: idOf(event) ?? before.lastId, lastAt: greater(before.lastAt, at) };
  const thread = isOfSession(event) ? undefined : foreignThreadOf(event, shownThread);
  const next = learners.get(event.type)?.(known, event, thread) ?? known;
  const isWork = event.type.startsWith('agent.') || event.type.startsWith('span.');
  const progress = thread === undefined || !isWork ? next : withVisible(next, thread);
  const rest = restOf(turn);
  if (rest === undefined || before.isResting || thread !== undefined) {
    return progress;
  }
  const isUsual = ['done', 'asked', 'judged'].includes(rest.kind) && !turn.isInterrupted;
  const turns = isUsual ? [...progress.turns, withSpent(progress).extremes].slice(-maxTurns) : progress.turns;
  return { ...progress, isResting: true, calls: [], extremes: noExtremes, turns };
}

/** Records the cost of a session. A base that is unknown here and in `before` is set to this cost. */
export function withCost(progress: Progress, cents: number | undefined, currency: string, before: Progress | undefined): Progress {
  const { spent } = progress;
  if (cents === undefined) {
    return progress;
  }
  const base = spent.base ?? (before?.spent.since === spent.since ? before?.spent.base : undefined) ?? cents;
  return { ...progress, spent: { ...spent, base, cents: Math.max(cents, spent.cents ?? 0), currency } };
}

/** Returns the limits of an agent: the 95th percentile of its finished turns, but at least `lowestLimits`. Limits of counts are higher by one. */
export function limitsOf(turns: readonly TurnExtremes[]): TurnExtremes {
  const usual = (name: keyof TurnExtremes): number => {
    const values = turns.map(turn => turn[name]).sort((a, b) => a - b);
    return values[Math.ceil(values.length * 0.95) - 1] ?? 0;
  };
  const limit = (name: keyof TurnExtremes, more = 0) => ({ [name]: Math.max(lowestLimits[name], usual(name) + more) });
  const counts = { ...limit('repeats', 1), ...limit('rounds', 1), ...limit('failures', 1) };
  return { ...lowestLimits, ...counts, ...limit('silent'), ...limit('tool'), ...limit('cents') };
}

/** Reason to believe that a running session is stuck. `episode` stays the same for as long as the problem lasts. */
export type ProgressProblem = { readonly episode: string } & (
  | { readonly kind: 'silent'; readonly minutes: number }
  | { readonly kind: 'repeats' | 'fails'; readonly count: number; readonly what: string }
  | { readonly kind: 'alternates' }
  | { readonly kind: 'spends'; readonly cents: number; readonly currency: string }
);

interface ProgressMoment {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Latest time at which the session object changed: its `updated_at`, or more tokens than before. */
  readonly movedAt: number | undefined;
  /** A problem begins when a value reaches its limit. */
  readonly limits: TurnExtremes;
}

/** Returns why a running session seems stuck, or `undefined` while it makes progress. */
export function progressProblem(progress: Progress, { now, movedAt, limits }: ProgressMoment): ProgressProblem | undefined {
  if (progress.isResting) {
    return undefined;
  }
  const { calls, spent } = progress;
  const { repeats, rounds, failures } = streaksOf(calls);
  if (repeats.length >= limits.repeats) {
    return { kind: 'repeats', count: repeats.length, what: repeats.at(-1)?.words ?? '', episode: episodeOf('repeats', repeats) };
  }
  if (rounds.length >= limits.rounds * 2) {
    return { kind: 'alternates', episode: episodeOf('alternates', rounds) };
  }
  if (failures.length >= limits.failures) {
    return { kind: 'fails', count: failures.length, what: failures.at(-1)?.failure ?? '', episode: episodeOf('fails', failures) };
  }
  const lastAt = greater(progress.lastAt, movedAt);
  const silent = lastAt === undefined ? 0 : now - lastAt;
  if (silent >= (isBusy(progress) ? limits.tool : limits.silent) && !isHidden(progress, movedAt)) {
    return { kind: 'silent', minutes: Math.floor(silent / 60_000), episode: `silent ${progress.lastId ?? lastAt}` };
  }
  const cents = spentOf(progress);
  return cents >= limits.cents ? { kind: 'spends', cents, currency: spent.currency ?? 'USD', episode: `spends ${spent.since}` } : undefined;
}

/** Returns the ID of the event with which a problem began. */
export function eventOfProblem({ episode }: ProgressProblem): string {
  return episode.slice(episode.indexOf(' ') + 1);
}

function episodeOf(kind: string, [first]: readonly Call[]): string {
  return `${kind} ${first?.ids[0] ?? ''}`;
}

function spentOf({ spent: { base, cents } }: Progress): number {
  return base === undefined || cents === undefined ? 0 : cents - base;
}

function isBusy({ calls, threads, runs }: Progress): boolean {
  return runs.size > 0 || calls.some(({ result }) => result === undefined) || [...threads.values()].some(({ isRunning }) => isRunning);
}

/**
 * Returns whether a running sub-agent has no events in this log, and the session hasn't changed since the log's last event. Changes are
 * noticed up to two minutes late.
 */
function isHidden({ threads, lastAt = 0 }: Progress, movedAt = 0): boolean {
  return movedAt <= lastAt + 2 * 60_000 && [...threads.values()].some(({ isRunning, isVisible }) => isRunning && !isVisible);
}

/** Returns the streaks at the end of the latest thread's calls: equal calls, two alternating calls, and equal failures of one tool. */
function streaksOf(calls: readonly Call[]): Readonly<Record<'repeats' | 'rounds' | 'failures', readonly Call[]>> {
  const last = calls.at(-1);
  const own = calls.filter(({ thread }) => thread === last?.thread);
  const isAlike = (call: Call, other: Call) =>
    call.key === other.key && (call.result === other.result || call.result === undefined || other.result === undefined);
  const streak = (step: number) => {
    let from = own.length - 1;
    const isNext = (call: Call | undefined, next: Call | undefined) => call !== undefined && next !== undefined && isAlike(call, next);
    while (from >= step && isNext(own[from - step], own[from])) {
      from--;
    }
    return own.slice(Math.max(0, from - step + 1));
  };
  const rounds = own.length < 2 || own.at(-1)?.key === own.at(-2)?.key ? [] : streak(2);
  return { repeats: streak(1), rounds, failures: failuresOf(own) };
}

/** Returns the latest failures of one tool with equal results, if the last of them is among the last three calls. */
function failuresOf(own: readonly Call[]): readonly Call[] {
  const failed = own.slice(-3).findLast(({ failure }) => failure !== undefined);
  const ofTool = own.filter(({ tool, result }) => tool === failed?.tool && result !== undefined);
  const from = ofTool.findLastIndex(call => call.failure === undefined || call.result !== failed?.result);
  return ofTool.slice(from + 1);
}

/** Returns the extremes with the time since the latest event. Time in which people answer doesn't count. */
function stretched(progress: Progress, at: number | undefined): TurnExtremes {
  const { extremes, lastAt, isResting, calls } = progress;
  if (isResting || at === undefined || lastAt === undefined || calls.some(call => call.isOfClient && call.result === undefined)) {
    return extremes;
  }
  const name = isBusy(progress) ? 'tool' : 'silent';
  return at - lastAt > extremes[name] ? { ...extremes, [name]: at - lastAt } : extremes;
}

function withSpent(progress: Progress): Progress {
  const cents = spentOf(progress);
  return cents > progress.extremes.cents ? { ...progress, extremes: { ...progress.extremes, cents } } : progress;
}

function withCalls(progress: Progress, calls: readonly Call[]): Progress {
  const { repeats, rounds, failures } = streaksOf(calls);
  const { extremes } = progress;
  const increased = {
    ...extremes,
    repeats: Math.max(extremes.repeats, repeats.length),
    rounds: Math.max(extremes.rounds, Math.floor(rounds.length / 2)),
    failures: Math.max(extremes.failures, failures.length),
  };
  return { ...progress, calls: calls.slice(-maxCalls), extremes: increased };
}

function withVisible(progress: Progress, thread: string): Progress {
  const known = progress.threads.get(thread);
  return known === undefined || known.isVisible
    ? progress
    : { ...progress, threads: new Map(progress.threads).set(thread, { ...known, isVisible: true }) };
}

type Learner = (progress: Progress, event: TranscriptEvent, thread: string | undefined) => Progress;

/** Starts or continues a turn. A message from a person resets the list of finished calls. */
const learnSaid: Learner = (progress, event) => {
  const calls = progress.calls.filter(({ result }) => result === undefined);
  return { ...withMessage(progress, event), calls };
};

const learners: ReadonlyMap<string, Learner> = new Map(
  Object.entries<Learner>({
    'user.message': learnSaid,
    'user.define_outcome': learnSaid,
    'user.interrupt': progress => ({ ...progress, calls: [] }),
    'session.status_running': progress => (progress.isResting ? { ...progress, isResting: false } : progress),
    'session.status_idle': learnRest,
    'session.status_terminated': learnRest,
    'session.thread_created': (progress, { session_thread_id: thread }) => withThread(progress, thread, true, true),
    'agent.thread_message_sent': (progress, event, thread) =>
      thread === undefined ? withThread(progress, event.to_session_thread_id, true, true) : progress,
    'agent.thread_message_received': (progress, event, thread) =>
      thread === undefined ? withThread(progress, event.from_session_thread_id, false, true) : progress,
    // Only for known threads, because an unknown thread may be the session's own.
    'session.thread_status_running': (progress, _, thread) => withThread(progress, thread, true),
    'session.thread_status_idle': (progress, _, thread) => withThread(progress, thread, false),
    'session.thread_status_terminated': (progress, _, thread) => withThread(progress, thread, false),
    'workflow_run.status_running': toRun(true),
    'workflow_run.status_idle': toRun(false),
    'workflow_run.status_ended': toRun(false),
    'session.usage': (progress, { usage }) => {
      const cost = toMoney(objectOf(usage)?.list_cost);
      return cost === undefined ? progress : withSpent(withCost(progress, cost.cents, cost.currency, undefined));
    },
    'agent.message': (progress, event, thread) =>
      thread !== undefined || textOfMessage(event.content).trim() === '' ? progress : withMessage(withSpent(progress), event),
    ...Object.fromEntries([...forTypes(callTypes, learnCall), ...forTypes(resultTypes, learnResult)]),
    'user.tool_confirmation': (progress, event) => (event.result === 'deny' ? learnResult(progress, event) : progress),
  }),
);

function withMessage(progress: Progress, event: TranscriptEvent): Progress {
  const { cents, currency } = progress.spent;
  // A turn starts at the cost reported before it. The cost at a message in the middle of a turn is unknown.
  const base = progress.isResting ? cents : undefined;
  return { ...progress, spent: { since: idOf(event) ?? progress.spent.since, ...defined({ cents, currency, base }) } };
}

/** Records that a sub-agent's thread runs or rests. Ignores an unknown thread unless `isNew`. */
function withThread(progress: Progress, id: unknown, isRunning: boolean, isNew = false): Progress {
  const known = progress.threads.get(String(id));
  if (typeof id !== 'string' || known?.isRunning === isRunning || (known === undefined && !isNew)) {
    return progress;
  }
  return { ...progress, threads: new Map(progress.threads).set(id, { isVisible: false, ...known, isRunning }) };
}

function learnRest(progress: Progress): Progress {
  const threads = [...progress.threads].map(([id, thread]) => [id, { ...thread, isRunning: false }] as const);
  return { ...progress, isResting: true, threads: new Map(threads) };
}

function toRun(runs: boolean): Learner {
  return (progress, event) => {
    const id = textOf(event.workflow_run_id) ?? '';
    const others = [...progress.runs].filter(run => run !== id);
    return { ...progress, runs: new Set(runs ? [...others, id] : others) };
  };
}

function learnCall(progress: Progress, event: TranscriptEvent, thread: string | undefined): Progress {
  const ids = [idOf(event), textOf(event.tool_use_id)].filter(id => id !== undefined);
  // Some services repeat a call when it asks for permission.
  const again = progress.calls.findIndex(call => call.ids.some(id => ids.includes(id)));
  const known = progress.calls[again];
  if (known !== undefined) {
    return { ...progress, calls: progress.calls.with(again, { ...known, ids: [...new Set([...known.ids, ...ids])] }) };
  }
  const tool = nameOf(event);
  const input = canonical(inputOf(event) ?? null);
  const words = toLabel(`${tool} ${toArgumentsLine(input)}`.trim(), 80);
  const isOfClient = event.type === 'agent.custom_tool_use';
  const call: Call = { ids, thread, tool, words, key: digestOf(`${tool}\n${input}`), isOfClient };
  return withCalls(progress, [...progress.calls, call]);
}

function learnResult(progress: Progress, event: TranscriptEvent): Progress {
  const id = callIdOf(event) ?? '';
  const index = progress.calls.findIndex(({ ids, result }) => result === undefined && ids.includes(id));
  const call = progress.calls[index];
  if (call === undefined) {
    return progress;
  }
  const words = textOfMessage(event.content) || JSON.stringify(event.content ?? null);
  const failure = event.is_error === true ? { failure: toLabel(words.trim().split('\n', 1)[0] ?? '', 60) } : {};
  return withCalls(progress, progress.calls.with(index, { ...call, result: digestOf(withoutTimes(shortened(words))), ...failure }));
}

/** Removes times of day and durations, which differ each time. */
function withoutTimes(text: string): string {
  return text.replace(
    /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:[\d.]+(?:Z|[+-]\d\d:?\d\d)?|\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\b|\b\d+(?:\.\d+)? ?(?:ms|s|sec|seconds?|min|minutes?)\b/gi,
    '#',
  );
}

function shortened(text: string): string {
  return text.length <= 8000 ? text : `${text.slice(0, 4000)}${text.length}${text.slice(-4000)}`;
}

/** Returns a short text that is equal for equal texts. Different texts of one turn practically never have the same result. */
function digestOf(text: string): string {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    first = Math.imul(first ^ code, 2654435761);
    second = Math.imul(second ^ code, 1597334677);
  }
  return `${(first >>> 0).toString(36)}${(second >>> 0).toString(36)}${text.length}`;
}
