import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Run, RunResults } from '../../../../../src/features/ledger/runs';
import type { Submission } from '../../../../../src/features/ledger/submission';
import type { AnswerRuns } from '../../../../../src/features/requests/answers/answerRuns';
import { FileAnswers } from '../../../../../src/features/requests/answers/fileAnswers';
import type { AnswerFiles, FailingKind } from '../../../../../src/features/requests/answers/submissionAnswerFiles';
import { readRequestLine } from '../../../../../src/features/requests/documents/requestLine';
import { DocumentChecker } from '../../../../../src/jsonl/checking/documentChecker';
import type { ResultEntry } from '../../../../../src/jsonl/results/resultsReport';
import { runs } from '../../../../helpers/runs';

/** Document that a test edits line by line. */
class Edited {
  version = 1;
  checker: DocumentChecker | undefined;
  answers: FileAnswers | undefined;
  /** Line number of each line in the sent file. `undefined` for a line that was edited since then. */
  readonly origins: (number | undefined)[];

  constructor(public all: string[]) {
    this.origins = all.map((_, line) => line);
  }

  get lineCount() {
    return this.all.length;
  }

  lineAt(line: number) {
    return { text: this.all[line] ?? '' };
  }

  replace(start: number, removed: number, lines: readonly string[]): void {
    this.all.splice(start, removed, ...lines);
    this.origins.splice(start, removed, ...lines.map(() => undefined));
    this.version++;
    this.checker?.change(start, removed, lines.length);
    this.answers?.change([{ start, removed, inserted: lines.length }]);
  }
}

const params = (words: string) => `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"${words}"}]}`;
const request = (id: string, words: string) => `{"custom_id":"${id}","params":${params(words)}}`;

type Fate = 'good' | 'bad' | 'cut' | 'missing' | 'unsent';
const fates: readonly Fate[] = ['good', 'bad', 'cut', 'missing', 'unsent'];

function entryOf(customId: string, row: number, fate: Fate): ResultEntry {
  const status = fate === 'bad' ? 'failed' : fate === 'cut' ? 'cut_short' : 'succeeded';
  const stopReason = fate === 'cut' ? 'max_tokens' : undefined;
  return { row, customId, line: row, status, stopReason, errorType: undefined, inputTokens: 1, outputTokens: 1, offset: 0, length: 1 };
}

function submissionOf(id: string, sha256: string, more: Partial<Submission> = {}): Submission {
  return {
    id,
    sha256,
    connection: 'Work',
    origin: 'http://127.0.0.1:1',
    source: 'file:///a.jsonl',
    fileBytes: 1,
    requestCount: 1,
    bodyBytes: 1,
    state: 'created',
    startedAt: '2026-01-01T00:00:00Z',
    ...more,
  };
}

function shownOf(submission: Submission, missing: number): AnswerRuns {
  const run: Run = {
    id: submission.id,
    submissions: [submission],
    lead: submission,
    parts: 1,
    connection: 'Work',
    source: submission.source,
    startedAt: submission.startedAt,
    follows: submission.follows,
  };
  const results = {
    submissionId: submission.id,
    indexName: 'i',
    joinedPath: '/a',
    fetchedAt: 'now',
    report: { missing: { count: missing } },
  };
  const { source } = submission;
  const shown = { results: results as unknown as RunResults, source, runs: [run], isMerged: false, sourceSha256: submission.sha256 };
  return { shown, pending: [] };
}

/** Uses the text itself as its hash. */
const sameText = (text: string) => readRequestLine(text)?.params;

/** A sent request, with its params and the status of its result. */
interface Sent {
  readonly id: string;
  readonly said: string | undefined;
  readonly fate: Fate;
}

function filesOf(sent: readonly Sent[], knowsHashes: boolean): AnswerFiles & { opened: string[] } {
  const opened: string[] = [];
  const asked = sent.filter(({ fate }) => fate !== 'unsent');
  const entries = asked.flatMap(({ id, fate }, row) => (fate === 'missing' ? [] : [entryOf(id, row, fate)]));
  const byId = new Map(asked.map(one => [one.id, one]));
  return {
    opened,
    openResults: async () => {
      opened.push('results');
      return {
        entryOfId: id => entries.find(({ customId }) => customId === id),
        entries: () => entries,
        missingIds: () => asked.filter(({ fate }) => fate === 'missing').map(({ id }) => id),
        previews: async wanted => wanted.map(() => 'words'),
        read: async () => '',
      };
    },
    openHistory: () => Promise.reject(new Error('none')),
    idsOf: async () => ({ findText: id => (byId.has(id) ? 0 : -1) }),
    hashesOf: async () => (knowsHashes ? { hashOf: id => byId.get(id)?.said } : undefined),
    retry: () => {},
    hashRequest: sameText,
  };
}

async function open(document: Edited, files: AnswerFiles): Promise<FileAnswers> {
  const checker = new DocumentChecker(document);
  await checker.sweep(() => Promise.resolve(), new AbortController().signal);
  document.checker = checker;
  document.answers = new FileAnswers(
    document,
    () => checker,
    files,
    error => assert.fail(String(error)),
  );
  return document.answers;
}

const sendAll = (document: Edited, chosen: readonly Fate[]): readonly Sent[] =>
  document.all.flatMap((text, line) => {
    const read = readRequestLine(text);
    return read === undefined
      ? []
      : [{ id: read.customId ?? `line-${line + 1}`, said: read.params, fate: chosen[line % chosen.length] ?? 'good' }];
  });

/** Returns the expected text of each line: `id state`, followed by `≠` if the request has changed. Empty without a result. */
function expected(document: Edited, sent: readonly Sent[], isVouched: boolean): readonly string[] {
  const given = document.all.map(text => readRequestLine(text)?.customId);
  return document.all.map((text, line) => {
    const read = readRequestLine(text);
    const origin = document.origins[line];
    const created = read !== undefined && isVouched && origin !== undefined ? `line-${origin + 1}` : undefined;
    const id = given[line] ?? (read === undefined ? undefined : created);
    const isShadowed = given[line] !== undefined && given.indexOf(given[line]) !== line;
    const found = isShadowed ? undefined : sent.find(one => one.id === id && one.fate !== 'unsent');
    return found === undefined ? '' : `${found.id} ${found.fate}${read?.params === found.said ? '' : ' ≠'}`;
  });
}

async function shown(document: Edited, answers: FileAnswers): Promise<readonly string[]> {
  const found = await answers.answersAt(document.all.keys());
  return document.all.map((_, line) => {
    const answer = found?.get(line);
    if (answer === undefined) {
      return '';
    }
    const { entry, isMissing, isChanged, id } = answer;
    const fate = isMissing ? 'missing' : entry?.status === 'failed' ? 'bad' : entry?.stopReason === undefined ? 'good' : 'cut';
    return `${id} ${fate}${isChanged ? ' ≠' : ''}`;
  });
}

const line = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b', 'c', 'line-2', '__proto__'), fc.constantFrom('one', 'two')).map(([id, words]) => request(id, words)),
  fc.constantFrom('one', 'two').map(params),
  fc.constantFrom('', '{"broken"'),
);
const edit = fc.oneof(
  fc.record({
    kind: fc.constant('replace' as const),
    at: fc.nat(20),
    count: fc.nat(3),
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('move' as const), at: fc.nat(20), to: fc.nat(20) }),
  fc.record({ kind: fc.constant('restore' as const), at: fc.nat(20), from: fc.nat(20) }),
);

function apply(document: Edited, original: readonly string[], step: typeof edit extends fc.Arbitrary<infer T> ? T : never): void {
  const at = step.at % document.all.length;
  if (step.kind === 'replace') {
    document.replace(at, Math.min(Math.max(1, step.count), document.all.length - at), step.lines);
  } else if (step.kind === 'restore') {
    document.replace(at, 1, [original[step.from % original.length] ?? '']);
  } else if (document.all.length > 1) {
    const [text = ''] = document.all.slice(at);
    document.replace(at, Math.min(2, document.all.length - at), document.all.slice(at + 1, at + 2));
    if (document.all.length > 0) {
      const to = step.to % document.all.length;
      document.replace(to, 1, [text, document.all[to] ?? '']);
    }
  }
}

describe('features/requests/answers/fileAnswers', () => {
  it('marks every line as a read of the whole file does, after any edits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 8 }),
        fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 5 }),
        fc.array(edit, { maxLength: 8 }),
        fc.boolean(),
        async (original, chosen, edits, isVouched) => {
          const document = new Edited([...original]);
          const sent = sendAll(document, chosen);
          // A file with duplicate ids is never sent.
          fc.pre(new Set(sent.map(({ id }) => id)).size === sent.length);
          const answers = await open(document, filesOf(sent, true));
          await answers.update(shownOf(submissionOf('s', 'v1'), sent.filter(({ fate }) => fate === 'missing').length));
          if (isVouched) {
            answers.vouch('v1');
          }
          assert.deepEqual(await shown(document, answers), expected(document, sent, isVouched));
          for (const step of edits) {
            apply(document, original, step);
            const marks = expected(document, sent, isVouched);
            assert.deepEqual(await shown(document, answers), marks);
            const failing = marks.flatMap((mark, at): { line: number; kind: FailingKind }[] =>
              / (?:cut|missing)/.test(mark) ? [{ line: at, kind: 'warning' }] : / bad/.test(mark) ? [{ line: at, kind: 'error' }] : [],
            );
            assert.deepEqual(await answers.failing(), failing);
          }
        },
      ),
      { numRuns: runs(150) },
    );
  });

  it('treats an edited line as changed if its sent text is unknown', async () => {
    const document = new Edited([request('a', 'one'), request('b', 'one')]);
    const answers = await open(document, filesOf(sendAll(document, ['good']), false));
    await answers.update(shownOf(submissionOf('s', 'v1'), 0));
    document.replace(0, 1, [request('a', 'two')]);
    assert.deepEqual(await shown(document, answers), ['a good', 'b good']);
    document.replace(0, 1, [request('a', 'one')]);
    answers.vouch('v1');
    document.replace(0, 1, [request('a', 'two')]);
    assert.deepEqual(await shown(document, answers), ['a good ≠', 'b good']);
  });

  it('shows requests that are sent but not answered, even beside an earlier answer', async () => {
    const document = new Edited([request('a', 'one'), request('b', 'one'), request('new', 'one')]);
    const sent = sendAll(document, ['good', 'bad', 'unsent']);
    const answers = await open(document, filesOf(sent, true));
    const waiting = submissionOf('later', 'v1', { startedAt: '2026-01-02T00:00:00Z' });
    await answers.update({ shown: undefined, pending: [waiting] });
    const [a, b, fresh] = await Promise.all([0, 1, 2].map(async at => await answers.answerAt(at)));
    assert.equal(a?.pending?.id, 'later');
    assert.equal(a?.entry, undefined);
    assert.equal(a?.isChanged, false);
    assert.equal(b?.pending?.id, 'later');
    assert.equal(fresh, undefined);
    document.replace(0, 1, [request('a', 'two')]);
    assert.equal((await answers.answerAt(0))?.isChanged, true);
    await answers.update({ ...shownOf(submissionOf('s', 'v1'), 0), pending: [waiting] });
    const both = await answers.answerAt(1);
    assert.deepEqual([both?.entry?.status, both?.pending?.id], ['failed', 'later']);
  });

  it('loads results once, however often the ledger changes', async () => {
    const document = new Edited([request('a', 'one')]);
    const files = filesOf(sendAll(document, ['good']), true);
    const answers = await open(document, files);
    assert.equal(await answers.update(shownOf(submissionOf('s', 'v1'), 0)), true);
    assert.equal(await answers.update(shownOf(submissionOf('s', 'v1', { deleted: true }), 0)), false);
    assert.deepEqual(files.opened, ['results']);
    assert.equal(answers.shown?.runs[0]?.lead.deleted, true);
    assert.equal(await answers.update({ shown: undefined, pending: [] }), true);
    assert.equal(answers.entryAt(0), undefined);
  });

  it('compares with the run that was answered', async () => {
    const document = new Edited([request('a', 'two')]);
    const first = submissionOf('first', 'v1');
    const second = submissionOf('second', 'v2');
    const of = (merged: number): AnswerFiles => ({
      ...filesOf(sendAll(document, ['good']), true),
      openHistory: async () => ({
        of: () =>
          [0, 1].map(generation => ({
            ...{ generation, status: 'succeeded' as const, reason: undefined },
            isMerged: generation === merged,
            words: 'same' as const,
          })),
      }),
      hashesOf: async submission => ({ hashOf: () => params(submission === first ? 'one' : 'two') }),
    });
    for (const [retained, isChanged] of [
      [0, true],
      [1, false],
    ] as const) {
      const answers = await open(document, of(retained));
      const runs = [first, second].flatMap(submission => shownOf(submission, 0).shown?.runs ?? []);
      const { shown: results } = shownOf(first, 0);
      await answers.update({ shown: results && { ...results, runs, isMerged: true }, pending: [] });
      assert.equal((await answers.answerAt(0))?.isChanged, isChanged);
    }
  });

  it("doesn't mark a line as changed because a retry sent it from another file or with fixes", async () => {
    for (const more of [
      { source: 'file:///a.retry.jsonl' },
      { fromEditor: true, follows: { runId: 'first', purpose: 'retry' as const } },
    ]) {
      const document = new Edited([request('a', 'one')]);
      const first = submissionOf('first', 'v1');
      const retry = submissionOf('retry', 'v2', more);
      const answers = await open(document, {
        ...filesOf(sendAll(document, ['good']), true),
        openHistory: async () => ({
          of: () => [{ generation: 1, status: 'succeeded' as const, reason: undefined, isMerged: true, words: 'same' as const }],
        }),
        hashesOf: async submission => ({ hashOf: () => params(submission === first ? 'one' : 'one, and more') }),
      });
      const runs = [first, retry].flatMap(submission => shownOf(submission, 0).shown?.runs ?? []);
      const { shown: results } = shownOf(first, 0);
      await answers.update({ shown: results && { ...results, runs, isMerged: true }, pending: [] });
      assert.equal((await answers.answerAt(0))?.isChanged, false);
      document.replace(0, 1, [request('a', 'two')]);
      assert.equal((await answers.answerAt(0))?.isChanged, true);
    }
  });

  it('finds the line of a request by its ID or, without one, by its position', async () => {
    const document = new Edited([params('one'), request('b', 'one'), params('two')]);
    const answers = await open(document, filesOf(sendAll(document, ['good']), true));
    await answers.update(shownOf(submissionOf('s', 'v1'), 0));
    answers.vouch('v1');
    document.replace(0, 1, ['', params('one')]);
    assert.equal(answers.lineOf('b'), 2);
    assert.equal(answers.lineOf('line-3'), 3);
    assert.equal(answers.lineOf('line-1'), undefined);
  });
});
