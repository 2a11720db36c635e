import type { Translate } from '../../../common/text/translate';
import { type LooseValue, memberOf, parseLoose } from '../../../jsonl/guide/looseJson';
import { isRecord } from '../../../shared/isRecord';
import { toCents } from '../attaching/budgetAmount';

/** Path of a value in a document: member names and element indices from the root. */
export type ValuePath = readonly (string | number)[];

/** Problem of a test, with its path in the document. */
export interface TestProblem {
  readonly path: ValuePath;
  readonly message: string;
}

/** Result of parsing a test. `test` is `undefined` if there are problems. */
export interface ReadTest {
  readonly test: SessionTest | undefined;
  readonly problems: readonly TestProblem[];
}

/** Maximum number of calls: comparing takes quadratic time. */
const maxCalls = 1000;
const usualLimitSeconds = 300;
const maxLimitSeconds = 86_400;

/** Parses the document of a session test. Ignores unknown fields. */
export function readTest(text: string, t: Translate): ReadTest {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { test: undefined, problems: [{ path: [], message: t('Not valid JSON') }] };
  }
  const fields = new Fields(value, [], [], t);
  const test = toTest(fields);
  return { test: fields.problems.length === 0 ? test : undefined, problems: fields.problems };
}

/** Returns the offsets of a value in a document. If it is missing, returns those of the closest existing parent. */
export function rangeOf(text: string, place: ValuePath): { readonly start: number; readonly end: number } {
  let value = parseLoose(text);
  for (const step of place) {
    const inner: LooseValue | undefined = typeof step === 'number' ? value?.items[step] : memberOf(text, value, step)?.value;
    if (inner === undefined) {
      break;
    }
    value = inner;
  }
  const isWide = value !== undefined && (value.kind === 'object' || value.kind === 'array');
  const start = value?.start ?? 0;
  // For a multi-line value, the range covers only its first line.
  const lineEnd = text.indexOf('\n', start);
  const end = value?.end ?? text.length;
  return { start, end: isWide && lineEnd !== -1 ? Math.min(end, lineEnd) : end };
}

function toTest(fields: Fields): SessionTest {
  const agent = fields.object('agent');
  const compare = fields.optionalObject('compare');
  const version = agent.value('version');
  if (version !== undefined && version !== 'latest' && !(Number.isInteger(version) && Number(version) > 0)) {
    agent.refuse('version', agent.t('Enter a version number, or "latest".'));
  }
  return {
    agent: { id: agent.text('id'), version: typeof version === 'number' ? version : 'latest', name: agent.optionalText('name') },
    connection: fields.optionalText('connection'),
    environment: fields.optionalText('environment'),
    messages: fields.texts('messages', 1),
    calls: fields.list('calls', maxCalls).map((call): ExpectedCall => ({ ...toolOf(call), ignore: call.pointers('ignore') })),
    compare: toComparison(compare),
    answers: fields.list('answers', maxCalls).map(toAnswer),
    decisions: fields.list('decisions', maxCalls).map(toDecision),
    decidesOnService: fields.flag('decide_on_service'),
    budget: toBudgetCents(fields),
    limitSeconds: fields.number('limit_seconds', usualLimitSeconds, maxLimitSeconds),
    afterwards: fields.word('afterwards', ['archive', 'keep'] as const, 'archive'),
  };
}

function toComparison(compare: Fields): Comparison {
  return {
    order: compare.word('order', ['recorded', 'any'] as const, 'recorded'),
    extraCalls: compare.word('extra_calls', ['fail', 'allow'] as const, 'fail'),
    ignore: compare.pointers('ignore'),
  };
}

function toAnswer(answer: Fields): RecordedAnswer {
  const content = answer.value('content');
  const isText = typeof content === 'string';
  if (!isText && !(Array.isArray(content) && content.every(isRecord))) {
    answer.refuse('content', answer.t('Enter a text, or a list of content blocks.'));
  }
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  return { ...toolOf(answer), content: isText ? [{ type: 'text', text: content }] : blocks, isError: answer.flag('is_error') };
}

function toDecision(decision: Fields): RecordedDecision {
  const words = ['allow', 'deny'] as const;
  if (decision.value('decision') === undefined) {
    decision.refuse('decision', decision.t('Enter one of {0}.', words.join(', ')));
  }
  return { ...toolOf(decision), decision: decision.word('decision', words, 'deny'), reason: decision.optionalText('reason') };
}

function toolOf(fields: Fields): ToolName & { readonly input?: unknown } {
  const input = fields.value('input');
  return { tool: fields.text('tool'), server: fields.optionalText('server'), ...(input !== undefined && { input }) };
}

function toBudgetCents(fields: Fields): number | undefined {
  const budget = fields.value('budget');
  if (budget === undefined) {
    return undefined;
  }
  const cents = typeof budget === 'string' ? toCents(budget) : undefined;
  if (cents === undefined || cents === 0) {
    fields.refuse('budget', fields.t('Enter an amount in US dollars, such as 2.50'));
  }
  return cents;
}

class Fields {
  private readonly members: Readonly<Record<string, unknown>>;

  constructor(
    object: unknown,
    private readonly path: ValuePath,
    readonly problems: TestProblem[],
    readonly t: Translate,
  ) {
    if (!isRecord(object)) {
      problems.push({ path, message: t('Expected a JSON object.') });
    }
    this.members = isRecord(object) ? object : {};
  }

  /** Returns the value of a field. `undefined` if it is missing or `null`. */
  value(name: string): unknown {
    return Object.hasOwn(this.members, name) ? (this.members[name] ?? undefined) : undefined;
  }

  refuse(name: string | number, message: string, ...more: ValuePath): void {
    this.problems.push({ path: [...this.path, name, ...more], message });
  }

  text(name: string): string {
    const text = this.optionalText(name);
    if (text === undefined && this.value(name) === undefined) {
      this.refuse(name, this.t('"{0}" is missing.', name));
    }
    return text ?? '';
  }

  optionalText(name: string): string | undefined {
    const value = this.value(name);
    if (value !== undefined && (typeof value !== 'string' || value.trim() === '')) {
      this.refuse(name, this.t('Enter some text'));
    }
    return typeof value === 'string' ? value : undefined;
  }

  flag(name: string): boolean {
    const value = this.value(name) ?? false;
    if (typeof value !== 'boolean') {
      this.refuse(name, this.t('Enter true or false.'));
    }
    return value === true;
  }

  number(name: string, usual: number, most: number): number {
    const value = this.value(name) ?? usual;
    if (typeof value !== 'number' || !(value > 0 && value <= most)) {
      this.refuse(name, this.t('Enter a number above 0, at most {0}.', most));
    }
    return typeof value === 'number' ? value : usual;
  }

  word<T extends string>(name: string, words: readonly T[], usual: T): T {
    const value = this.value(name) ?? usual;
    const found = words.find(word => word === value);
    if (found === undefined) {
      this.refuse(name, this.t('Enter one of {0}.', words.join(', ')));
    }
    return found ?? usual;
  }

  object(name: string): Fields {
    return new Fields(this.value(name), [...this.path, name], this.problems, this.t);
  }

  optionalObject(name: string): Fields {
    return new Fields(this.value(name) ?? {}, [...this.path, name], this.problems, this.t);
  }

  list(name: string, most: number): readonly Fields[] {
    const items = this.items(name, most);
    return items.map((item, at) => new Fields(item, [...this.path, name, at], this.problems, this.t));
  }

  texts(name: string, least: number): readonly string[] {
    const items = this.items(name, maxCalls);
    if (items.length < least && (this.value(name) === undefined || Array.isArray(this.value(name)))) {
      this.refuse(name, this.t('"{0}" must have at least {1}.', name, least));
    }
    return items.flatMap((item, at) => {
      if (typeof item === 'string' && item.trim() !== '') {
        return [item];
      }
      this.refuse(name, this.t('Enter some text'), at);
      return [];
    });
  }

  pointers(name: string): readonly string[] {
    return this.texts(name, 0).filter((pointer, at) => {
      if (!isPointer(pointer)) {
        this.refuse(name, this.t('Enter a path such as "/options/timeout".'), at);
      }
      return isPointer(pointer);
    });
  }

  private items(name: string, most: number): readonly unknown[] {
    const value = this.value(name) ?? [];
    if (!Array.isArray(value)) {
      this.refuse(name, this.t('Enter a list.'));
      return [];
    }
    if (value.length > most) {
      this.refuse(name, this.t('Enter at most {0}.', most));
    }
    return value.slice(0, most);
  }
}

/** Reason why a test did not finish, as a message for the user, with the path of the related value in its document. */
export class TestStopped extends Error {
  override readonly name = 'TestStopped';

  constructor(
    message: string,
    readonly path: ValuePath = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Tool of a call. `server` is the MCP server that provides it, if any. */
export interface ToolName {
  readonly tool: string;
  readonly server?: string | undefined;
}

/** Call that an agent made. */
export interface AgentCall extends ToolName {
  readonly input: unknown;
}

/**
 * Call that an agent is expected to make. Without `input`, any arguments match. `ignore` are pointers into the arguments (see
 * `comparableInput`).
 */
export interface ExpectedCall extends ToolName {
  readonly input?: unknown;
  readonly ignore: readonly string[];
}

/** Recorded result of a custom tool for a call with `input`. Without `input`, it applies to any arguments. */
export interface RecordedAnswer extends ToolName {
  readonly input?: unknown;
  readonly content: readonly object[];
  readonly isError: boolean;
}

/** Recorded decision about a permission request. */
export interface RecordedDecision extends ToolName {
  readonly input?: unknown;
  readonly decision: 'allow' | 'deny';
  readonly reason?: string | undefined;
}

/** Options for comparing calls with recorded ones. */
export interface Comparison {
  readonly order: 'recorded' | 'any';
  readonly extraCalls: 'fail' | 'allow';
  /** Pointers into the arguments of all calls. */
  readonly ignore: readonly string[];
}

/** Session to repeat, and the expected calls of its agent. */
export interface SessionTest {
  readonly agent: { readonly id: string; readonly version: number | 'latest'; readonly name?: string | undefined };
  readonly connection?: string | undefined;
  /** `undefined` if the service has no environments. */
  readonly environment: string | undefined;
  /** Messages of the user. Each is sent after the previous turn has ended. */
  readonly messages: readonly string[];
  readonly calls: readonly ExpectedCall[];
  readonly compare: Comparison;
  readonly answers: readonly RecordedAnswer[];
  readonly decisions: readonly RecordedDecision[];
  /** If true, recorded decisions are also sent to services, where the allowed calls have effects. */
  readonly decidesOnService: boolean;
  /** Maximum cost of a run on a service, in whole US cents. */
  readonly budget: number | undefined;
  readonly limitSeconds: number;
  readonly afterwards: 'archive' | 'keep';
}

/** Suffix of the files that contain session tests. */
export const testEnding = '.session-test.json';

/** Returns the display name of a tool, with its server. */
export function nameOfTool({ tool, server }: ToolName): string {
  return server === undefined ? tool : `${server}/${tool}`;
}

/** Returns whether a text is a JSON pointer into the arguments. */
export function isPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)+$/.test(text);
}
