import * as z from 'zod';
import type { Translate } from '../../../common/text/translate';
import { type LooseValue, memberOf, parseLoose } from '../../../jsonl/guide/looseJson';
import { toCents } from '../attaching/budgetAmount';

/** Path of a value in a document: member names and element indices from the root. */
export type ValuePath = readonly (string | number)[];

/** Problem of a test, with its path in the document. */
interface TestProblem {
  readonly path: ValuePath;
  readonly message: string;
}

/** Result of parsing a test. `test` is `undefined` if there are problems. */
interface ReadTest {
  readonly test: SessionTest | undefined;
  readonly problems: readonly TestProblem[];
}

/** Maximum number of calls. Comparing takes quadratic time. */
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
  const { data: test, error } = createTestSchema(t).safeParse(value);
  return { test, problems: (error?.issues ?? []).map(({ path, message }) => ({ path: path as ValuePath, message })) };
}

/** Returns the offsets of a value in a document. If the value is missing, returns the offsets of the closest existing parent. */
export function rangeOf(text: string, path: ValuePath): { readonly start: number; readonly end: number } {
  let value = parseLoose(text);
  for (const step of path) {
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

/** Returns the schema of the document, with messages for the user. A field that is missing or `null` has its default. */
function createTestSchema(t: Translate) {
  const usually = <T extends z.ZodType>(schema: T, usual: unknown) =>
    z.preprocess(value => value ?? undefined, schema.prefault(usual as never)) as unknown as z.ZodType<z.output<T>>;
  const object = <T extends z.ZodRawShape>(shape: T) => z.object(shape, t('Expected a JSON object.'));
  const isFilled = (text: string) => text.trim() !== '';
  const text = z.string(t('Enter some text')).refine(isFilled, t('Enter some text'));
  const optional = text
    .nullish()
    .transform(value => value ?? undefined)
    .optional();
  const required = (name: string) =>
    z
      .string({ error: ({ input }) => (input === undefined || input === null ? t('"{0}" is missing.', name) : t('Enter some text')) })
      .refine(isFilled, t('Enter some text'));
  const flag = usually(z.boolean(t('Enter true or false.')), false);
  const word = <T extends string>(...words: [T, ...T[]]) => z.enum(words, t('Enter one of {0}.', words.join(', ')));
  const array = <T extends z.ZodType>(item: T) => z.array(item, t('Enter a list.')).max(maxCalls, t('Enter at most {0}.', maxCalls));
  const list = <T extends z.ZodType>(item: T) => usually(array(item).readonly(), []);
  const ignore = list(text.refine(isPointer, t('Enter a path such as "/options/timeout".')));
  const call = {
    tool: required('tool'),
    server: optional,
    input: z
      .unknown()
      .transform((value): unknown => value ?? undefined)
      .optional(),
  };
  const noContent = t('Enter a text, or a list of content blocks.');
  const noAmount = t('Enter an amount in US dollars, such as 2.50');
  const noLimit = t('Enter a number above 0, at most {0}.', maxLimitSeconds);
  return object({
    agent: object({
      id: required('id'),
      version: usually(z.union([z.literal('latest'), z.int().positive()], t('Enter a version number, or "latest".')), 'latest'),
      name: optional,
    }),
    connection: optional,
    environment: optional,
    /** Messages of the user. Each is sent after the previous turn has ended. */
    messages: usually(
      array(text)
        .min(1, t('"{0}" must have at least {1}.', 'messages', 1))
        .readonly(),
      [],
    ),
    /** Expected calls. Without `input`, any arguments match. `ignore` are pointers to arguments that are not compared. */
    calls: list(object({ ...call, ignore })),
    compare: usually(
      object({
        order: usually(word('recorded', 'any'), 'recorded'),
        extra_calls: usually(word('fail', 'allow'), 'fail'),
        ignore,
      }).transform(({ extra_calls: extraCalls, ...compare }) => ({ ...compare, extraCalls })),
      {},
    ),
    answers: list(
      object({
        ...call,
        content: z.union([z.string().transform(words => [{ type: 'text', text: words }]), z.array(z.looseObject({}))], noContent),
        is_error: flag,
      }).transform(({ is_error: isError, ...answer }) => ({ ...answer, isError })),
    ),
    decisions: list(object({ ...call, decision: word('allow', 'deny'), reason: optional })),
    /** True if recorded decisions are also sent to services, where the allowed calls have effects. */
    decide_on_service: flag,
    /** Maximum cost of a run on a service, parsed to whole US cents. */
    budget: z
      .string(noAmount)
      .transform(toCents)
      .refine(cents => cents !== undefined && cents > 0, noAmount)
      .nullish()
      .transform(cents => cents ?? undefined),
    limit_seconds: usually(z.number(noLimit).positive(noLimit).max(maxLimitSeconds, noLimit), usualLimitSeconds),
    afterwards: usually(word('archive', 'keep'), 'archive'),
  }).transform(({ decide_on_service: decidesOnService, limit_seconds: limitSeconds, ...test }) => ({
    ...test,
    decidesOnService,
    limitSeconds,
  }));
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

/** Session to repeat, and the expected calls of its agent. */
export type SessionTest = z.output<ReturnType<typeof createTestSchema>>;
export type ExpectedCall = SessionTest['calls'][number];
/** Recorded result of a custom tool. Without `input`, the result applies to any arguments. */
export type RecordedAnswer = SessionTest['answers'][number];
export type RecordedDecision = SessionTest['decisions'][number];
/** Options for comparing calls with recorded calls. */
export type Comparison = SessionTest['compare'];

/** Suffix of the files that contain session tests. */
export const testEnding = '.session-test.json';

/** Returns whether a text is a JSON pointer into the arguments. */
export function isPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)+$/.test(text);
}
