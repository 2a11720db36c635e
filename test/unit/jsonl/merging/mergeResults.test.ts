import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { PassContext } from '../../../../src/jsonl/files/lineFile';
import type { MergeSource } from '../../../../src/jsonl/merging/mergedAnswers';
import { mergeResults } from '../../../../src/jsonl/merging/mergeResults';
import { ResultsHistory } from '../../../../src/jsonl/merging/resultsHistory';
import { ResultsIndex } from '../../../../src/jsonl/results/resultsIndex';
import { joinResults } from '../../../../src/jsonl/results/resultsJoin';
import { withDiskCalls } from '../../../helpers/diskCalls';
import { runs } from '../../../helpers/runs';

const quiet: PassContext = { throwIfAborted: () => {}, progress: () => {} };

type Answer = readonly [id: string, type: string, more?: object];

interface Sent {
  /** Line number and id of each request. */
  readonly lines: readonly (readonly [number, string])[];
  readonly answers: readonly Answer[];
  readonly isSameSource?: boolean;
  readonly isUnmapped?: boolean;
  /** Hash of the file, and hashes of the requests by id. Without `hashes`, the content of the requests is unknown. */
  readonly words?: { readonly sha256: string; readonly hashes?: Readonly<Record<string, string>> };
  readonly isRetry?: boolean;
}

const resultOf = ([, type, more = {}]: Answer) => ({
  type,
  ...(type === 'errored' ? { error: { type: 'error', error: { type: 'invalid_request_error', message: 'No' } } } : {}),
  ...(type === 'succeeded'
    ? { message: { stop_reason: 'end_turn', usage: { input_tokens: 2, output_tokens: 3 }, content: [{ type: 'text', text: 'é' }] } }
    : {}),
  ...more,
});

describe('jsonl/merging/mergeResults', () => {
  let folder: string;
  let target: Required<Pick<MergeSource, 'joinedPath' | 'indexPath' | 'historyPath'>>;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'merge-results-'));
    const file = (name: string) => path.join(folder, name);
    target = { joinedPath: file('merged'), indexPath: file('merged.index'), historyPath: file('merged.history') };
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function generation(number: number, { lines, answers, isSameSource = true, isUnmapped = false, words, isRetry = false }: Sent) {
    const file = (name: string) => path.join(folder, `${name}${number}`);
    await writeFile(file('lines'), lines.map(([line, id]) => `${line}\t${id}\n`).join(''));
    await writeFile(file('raw'), answers.map(answer => `${JSON.stringify({ custom_id: answer[0], result: resultOf(answer) })}\n`).join(''));
    const joinedPath = file('joined');
    const indexPath = file('index');
    const linesPath = isUnmapped ? undefined : file('lines');
    const { report } = await joinResults({ rawPath: file('raw'), linesPath, joinedPath, indexPath }, quiet);
    const hashes = words?.hashes && new Map(Object.entries(words.hashes));
    if (hashes !== undefined) {
      await writeFile(file('hash'), lines.map(([, id]) => (hashes.get(id) ?? '').padEnd(8)).join(''));
    }
    const said = words && [{ sha256: words.sha256, ...(hashes && { hashesPath: file('hash') }) }];
    return {
      ...{ joinedPath, indexPath, linesPaths: isUnmapped ? [] : [file('lines')], isSameSource, report },
      ...(said && { words: said }),
      isRetry,
    };
  }

  async function merge(...sent: readonly Sent[]) {
    const generations: Awaited<ReturnType<typeof generation>>[] = [];
    for (const [number, one] of sent.entries()) {
      generations.push(await generation(number, one));
    }
    return await mergeResults({ ...target, generations }, quiet);
  }

  const rows = async () =>
    (await readFile(target.joinedPath, 'utf8'))
      .split('\n')
      .slice(0, -1)
      .map(text => JSON.parse(text) as { custom_id: string; line: number | null; result: { type: string } });

  it('merges the parts of a group in file order, each line unchanged', async () => {
    const { report } = await merge(
      {
        lines: [
          [0, 'a'],
          [4, 'e'],
        ],
        answers: [
          ['e', 'succeeded'],
          ['a', 'expired'],
        ],
      },
      {
        lines: [
          [1, 'b"\\'],
          [2, 'c'],
        ],
        answers: [['b"\\', 'errored', { n: 1 }]],
      },
    );
    const part = async (number: number) => await readFile(path.join(folder, `joined${number}`), 'utf8');
    const [first = '', second = ''] = [...(await part(0)).split('\n').slice(0, 2)];
    assert.equal(await readFile(target.joinedPath, 'utf8'), `${first}\n${await part(1)}${second}\n`);
    assert.deepEqual(report.missing, { count: 1, first: ['c'] });
    assert.deepEqual(report.counts, { succeeded: 1, errored: 1, canceled: 0, expired: 1, other: 0 });
    assert.equal(report.complete, false);
    assert.equal((await stat(target.joinedPath)).mode & 0o777, 0o600);
  });

  it("keeps the last success, or else the last result, on the first file's line", async () => {
    const { report } = await merge(
      {
        lines: [
          [0, 'kept'],
          [3, 'mended'],
          [5, 'never'],
          [6, 'again'],
        ],
        answers: [
          ['kept', 'succeeded'],
          ['mended', 'errored'],
          ['never', 'errored', { first: true }],
          ['again', 'succeeded'],
        ],
      },
      {
        isSameSource: false,
        lines: [
          [0, 'never'],
          [1, 'mended'],
          [2, 'kept'],
          [3, 'again'],
          [4, 'new'],
        ],
        answers: [
          ['new', 'succeeded'],
          ['again', 'succeeded', { last: true }],
          ['kept', 'errored'],
          ['mended', 'succeeded'],
          ['never', 'expired'],
          ['stranger', 'expired'],
        ],
      },
    );
    assert.deepEqual(
      (await rows()).map(({ custom_id, line, result }) => [custom_id, line, result.type]),
      [
        ['kept', 1, 'succeeded'],
        ['mended', 4, 'succeeded'],
        ['never', 6, 'expired'],
        ['again', 7, 'succeeded'],
        ['new', null, 'succeeded'],
        ['stranger', null, 'expired'],
      ],
    );
    assert.deepEqual(report.unexpected, { count: 1, first: ['stranger'] });
    const history = await ResultsHistory.open(target.historyPath);
    assert.deepEqual(history.of('kept'), [
      { generation: 0, status: 'succeeded', reason: 'end_turn', isMerged: true, words: 'same' },
      { generation: 1, status: 'failed', reason: 'invalid_request_error', isMerged: false, words: 'same' },
    ]);
    assert.deepEqual(history.of('new'), [{ generation: 1, status: 'succeeded', reason: 'end_turn', isMerged: true, words: 'same' }]);
    assert.deepEqual(history.of('nobody'), []);
  });

  it('reports lines that were damaged or duplicate when the parts were fetched', async () => {
    const { report } = await merge(
      {
        lines: [[0, 'a']],
        answers: [
          ['a', 'succeeded'],
          ['a', 'succeeded'],
        ],
      },
      { lines: [[1, 'b']], answers: [['b', 'succeeded']] },
    );
    assert.deepEqual(report.duplicate, { count: 1, first: ['a'] });
    assert.equal(report.complete, false);
  });

  it('keeps the order of results with unknown lines', async () => {
    const answers: readonly Answer[] = [
      ['z', 'expired'],
      ['a', 'expired'],
    ];
    const { report } = await merge({ lines: [], isUnmapped: true, answers });
    assert.equal(report.complete, true);
    assert.deepEqual(
      (await rows()).map(({ custom_id }) => custom_id),
      ['z', 'a'],
    );
  });

  it("changes nothing if a part isn't what was joined", async () => {
    const one = await generation(0, { lines: [[0, 'a']], answers: [['a', 'succeeded']] });
    await writeFile(target.joinedPath, 'before');
    await appendFile(one.joinedPath, 'more\n');
    await assert.rejects(mergeResults({ ...target, generations: [one] }, quiet), { name: 'IndexMismatchError' });
    assert.equal(await readFile(target.joinedPath, 'utf8'), 'before');
  });

  it('changes nothing if lists of lines contradict each other', async () => {
    await assert.rejects(
      merge({ lines: [[0, 'a']], answers: [['a', 'succeeded']] }, { lines: [[0, 'b']], answers: [['b', 'succeeded']] }),
      { name: 'LineMapError' },
    );
  });

  it('leaves no files behind when the disk is full or it is canceled', async () => {
    const one = await generation(0, { lines: [[0, 'a']], answers: [['a', 'succeeded']] });
    const before = (await readdir(folder)).sort();
    const full = () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    await withDiskCalls({ write: full }, () => assert.rejects(mergeResults({ ...target, generations: [one] }, quiet), { code: 'ENOSPC' }));
    const cancelled = {
      throwIfAborted: () => {
        throw new Error('cancelled');
      },
      progress: () => {},
    };
    await assert.rejects(mergeResults({ ...target, generations: [one] }, cancelled), /cancelled/);
    assert.deepEqual((await readdir(folder)).sort(), before);
  });

  describe('when requests changed', () => {
    const one = (id: string, state: string | undefined, sha256: string, word?: string, more: Partial<Sent> = {}): Sent => ({
      lines: [[0, id]],
      answers: state === undefined ? [] : [[id, state]],
      words: { sha256, ...(word !== undefined && { hashes: { [id]: word } }) },
      ...more,
    });
    const changed = { isSameSource: false };
    const retry = { isSameSource: false, isRetry: true };
    const kept = async () => (await rows()).map(({ custom_id, result }) => [custom_id, result.type]);
    const history = async (id: string) =>
      (await ResultsHistory.open(target.historyPath)).of(id).map(({ status, isMerged, words }) => [status, isMerged, words]);

    it('drops the success of an old text when the new one fails, and shows it in the history', async () => {
      const { report } = await merge(one('x', 'succeeded', 'A', 'old'), one('x', 'errored', 'B', 'new', changed));
      assert.deepEqual(await kept(), [['x', 'errored']]);
      assert.deepEqual([report.counts.succeeded, report.counts.errored], [0, 1]);
      assert.deepEqual(await history('x'), [
        ['succeeded', false, 'other'],
        ['failed', true, 'same'],
      ]);
    });

    it('counts a new text without a result as missing', async () => {
      const { report } = await merge(one('x', 'succeeded', 'A', 'old'), {
        ...one('x', undefined, 'B', 'new', changed),
        lines: [
          [0, 'x'],
          [1, 'new'],
        ],
      });
      assert.deepEqual(await kept(), []);
      assert.deepEqual(report.missing, { count: 2, first: ['x', 'new'] });
      assert.equal(report.complete, false);
      assert.deepEqual(await history('x'), [
        ['succeeded', false, 'other'],
        ['missing', false, 'same'],
      ]);
    });

    it('keeps the success of the same text, from any run', async () => {
      await merge(one('x', 'succeeded', 'A', 'old'), one('x', 'errored', 'B', 'new', changed), one('x', 'expired', 'C', 'old', changed));
      assert.deepEqual(await kept(), [['x', 'succeeded']]);
      assert.deepEqual(await history('x'), [
        ['succeeded', true, 'same'],
        ['failed', false, 'other'],
        ['expired', false, 'same'],
      ]);
    });

    it("keeps the success that an unchanged retry repeated, and the retry's for its original request", async () => {
      await merge(one('x', 'succeeded', 'A', 'old'), one('x', 'errored', 'R', 'raised', retry));
      assert.deepEqual(await kept(), [['x', 'succeeded']]);
      await merge(one('x', 'errored', 'A', 'old'), one('x', 'succeeded', 'R', 'raised', retry), one('x', 'errored', 'B', 'old', changed));
      assert.deepEqual(await kept(), [['x', 'succeeded']]);
      await merge(
        one('x', 'succeeded', 'A', 'old'),
        one('x', 'errored', 'R', 'raised', retry),
        one('x', 'errored', 'B', 'raised', changed),
      );
      assert.deepEqual(await kept(), [['x', 'errored']], 'only the retry said what is said now');
    });

    it("counts the success of an unknown text only if it can't have changed", async () => {
      await merge(one('x', 'succeeded', 'A'), one('x', 'errored', 'A', 'same', changed));
      assert.deepEqual(await kept(), [['x', 'succeeded']], 'the same bytes');
      await merge(one('x', 'succeeded', 'A'), one('x', 'errored', 'R', undefined, retry));
      assert.deepEqual(await kept(), [['x', 'succeeded']], 'a retry as it was made');
      await merge(one('x', 'succeeded', 'A'), one('x', 'errored', 'B', 'new', changed));
      assert.deepEqual(await kept(), [['x', 'errored']]);
      assert.deepEqual(await history('x'), [
        ['succeeded', false, 'unknown'],
        ['failed', true, 'same'],
      ]);
    });

    it("treats hashes that don't match the lines as unknown", async () => {
      const first = await generation(0, one('x', 'succeeded', 'A', 'old'));
      await appendFile(path.join(folder, 'hash0'), 'more');
      const second = await generation(1, one('x', 'errored', 'B', 'old', changed));
      await mergeResults({ ...target, generations: [first, second] }, quiet);
      assert.deepEqual(await history('x'), [
        ['succeeded', false, 'unknown'],
        ['failed', true, 'same'],
      ]);
    });

    it('equals a merge in memory by text', async () => {
      const ids = ['__proto__', 'a', 'b'];
      const request = fc.record({
        id: fc.constantFrom(...ids),
        word: fc.constantFrom('p', 'q'),
        state: fc.constantFrom(undefined, 'succeeded', 'errored', 'expired'),
      });
      const sent = fc.record({
        requests: fc.uniqueArray(request, { selector: ({ id }) => id, maxLength: 3 }),
        isRetry: fc.boolean(),
        isKnown: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(sent, { minLength: 2, maxLength: 4 }), async all => {
          await merge(
            ...all.map(
              ({ requests, isRetry, isKnown }, at): Sent => ({
                isSameSource: at === 0,
                isRetry: isRetry && at > 0,
                lines: requests.map(({ id }, line) => [line, id]),
                answers: requests.flatMap(({ id, state }): Answer[] => (state === undefined ? [] : [[id, state, { at }]])),
                words: { sha256: `${at}`, ...(isKnown && { hashes: Object.fromEntries(requests.map(({ id, word }) => [id, word])) }) },
              }),
            ),
          );
          const expected = new Map<string, object>();
          for (const id of ids) {
            // The requests that the answer of each generation may belong to.
            const found: { readonly at: number; readonly state: string | undefined; readonly said: readonly string[] }[] = [];
            for (const [at, { requests, isRetry, isKnown }] of all.entries()) {
              const mine = requests.find(one => one.id === id);
              if (mine !== undefined) {
                const own = isKnown ? mine.word : `${at}`;
                found.push({ at, state: mine.state, said: [own, ...(isRetry && at > 0 ? (found.at(-1)?.said ?? []) : [])] });
              }
            }
            const newest = found.at(-1);
            const counting = found.filter(({ state, said }) => state !== undefined && said.some(word => newest?.said.includes(word)));
            const best = counting.findLast(({ state }) => state === 'succeeded') ?? counting.at(-1);
            if (best?.state !== undefined) {
              expected.set(id, JSON.parse(JSON.stringify(resultOf([id, best.state, { at: best.at }]))) as object);
            }
          }
          assert.deepEqual(new Map((await rows()).map(({ custom_id, result }) => [custom_id, result])), expected);
        }),
        { numRuns: runs(20) },
      );
    });
  });

  it('equals a merge in memory for any parts and runs', async () => {
    const ids = ['__proto__', 'constructor', 'a', 'ä"\\', 'line-1', 'x', 'y', 'z'];
    const answer = fc.record({
      id: fc.constantFrom(...ids, 'stranger'),
      type: fc.constantFrom('succeeded', 'errored', 'expired', 'canceled', 'new'),
      n: fc.nat(1000),
    });
    const sent = fc.record({
      picked: fc.uniqueArray(fc.nat(ids.length - 1)),
      answers: fc.uniqueArray(answer, { selector: ({ id }) => id, maxLength: 9 }),
      isSameSource: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 4 }), async all => {
        const generations = all.map(({ picked, answers, isSameSource }, at): Sent => {
          const numbers = at === 0 || isSameSource ? [...picked].sort((a, b) => a - b) : picked;
          // A merge rejects results without any result for the sent requests.
          const areOthers = picked.length > 0 && answers.every(({ id }) => !picked.some(number => ids[number] === id));
          return {
            isSameSource: at === 0 || isSameSource,
            lines: numbers.map((number, line) => [at === 0 || isSameSource ? number * 7 : line, ids[number] as string]),
            answers: (areOthers ? [] : answers).map(({ id, type, n }) => [id, type, { n }]),
          };
        });
        const { report } = await merge(...generations);
        const asked = ids.filter(id =>
          generations.some(one => one.isSameSource !== false && one.lines.some(([, sentId]) => sentId === id)),
        );
        const known = new Set(generations.flatMap(({ lines }) => lines.map(([, id]) => id)));
        const kept = new Map<string, { readonly at: number; readonly answer: Answer }>();
        for (const [at, { answers }] of generations.entries()) {
          for (const one of answers) {
            if (one[1] === 'succeeded' || kept.get(one[0])?.answer[1] !== 'succeeded') {
              kept.set(one[0], { at, answer: one });
            }
          }
        }
        const found = await rows();
        const line = (id: string) => (asked.includes(id) ? ids.indexOf(id) * 7 + 1 : null);
        assert.deepEqual(
          new Map(found.map(row => [row.custom_id, row])),
          new Map(
            [...kept].map(([id, { answer }]) => [
              id,
              { custom_id: id, line: line(id), result: JSON.parse(JSON.stringify(resultOf(answer))) },
            ]),
          ),
        );
        const lines = found.map(row => row.line ?? Number.POSITIVE_INFINITY);
        assert.deepEqual(
          lines,
          [...lines].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
        );
        assert.deepEqual(new Set(report.missing.first), new Set([...known].filter(id => !kept.has(id))));
        assert.deepEqual(new Set(report.unexpected.first), new Set([...kept.keys()].filter(id => !known.has(id))));
        const index = await ResultsIndex.open(target.indexPath, target.joinedPath);
        const history = await ResultsHistory.open(target.historyPath);
        for (const id of [...ids, 'stranger']) {
          const entry = index.entryOfId(id);
          assert.equal(entry === undefined ? undefined : await index.read(entry), JSON.stringify(found.find(row => row.custom_id === id)));
          assert.deepEqual(
            history
              .of(id)
              .map(one => [
                one.generation,
                one.status === 'other' ? 'new' : one.status === 'failed' ? 'errored' : one.status,
                one.isMerged,
              ]),
            generations.flatMap(({ lines: sentLines, answers }, at) => {
              const given = answers.find(one => one[0] === id);
              const wasSent = sentLines.some(([, sentId]) => sentId === id);
              return given === undefined && !wasSent ? [] : [[at, given?.[1] ?? 'missing', given !== undefined && kept.get(id)?.at === at]];
            }),
          );
        }
      }),
      { numRuns: runs(25) },
    );
  });
});
