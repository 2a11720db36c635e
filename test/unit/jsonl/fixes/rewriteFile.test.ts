import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { QuickLineCheck } from '../../../../src/jsonl/checking/quickLineCheck';
import { derivedId } from '../../../../src/jsonl/files/derivedIds';
import { SourceChangedError } from '../../../../src/jsonl/files/fileState';
import type { JobContext } from '../../../../src/jsonl/files/jobContext';
import { restoreFile } from '../../../../src/jsonl/files/publishing';
import type { diskCalls } from '../../../../src/jsonl/files/wholeFile';
import { createRewriter, type RewriteReport, type RewriteWork } from '../../../../src/jsonl/fixes/createRewriter';
import type { EditChoice, FieldEdit } from '../../../../src/jsonl/fixes/edits/fieldEdit';
import { type FixKind, fixKinds } from '../../../../src/jsonl/fixes/fixKinds';
import { type IdChoice, previewIds, toFieldPath } from '../../../../src/jsonl/fixes/idRewriter';
import type { FixSelection } from '../../../../src/jsonl/fixes/lineFix';
import { rewriteFile } from '../../../../src/jsonl/fixes/rewriteFile';
import { rewriteLines } from '../../../../src/jsonl/fixes/rewriteLines';
import type { RuleOptions } from '../../../../src/jsonl/rules/ruleOptions';
import { withDiskCalls } from '../../../helpers/diskCalls';
import { runs } from '../../../helpers/runs';
import { requestLine } from '../requestLines';
import { mutated } from './mutations';

const rules: RuleOptions = { severities: {}, models: undefined, betas: [], today: '2026-11-21' };
const check = new QuickLineCheck(rules);
const everyKind = Object.keys(fixKinds) as FixKind[];

const context: JobContext = {
  signal: new AbortController().signal,
  throwIfAborted: () => {},
  progress: () => {},
  slots: {
    next: () => assert.fail('emits nothing'),
    emit: () => assert.fail('emits nothing'),
  },
};

const params = '"params":{"model":"m","max_tokens":10,"messages":[{"role":"user","content":"hi"}]}';
const request = (id: string) => `{"custom_id":"${id}",${params}}`;
const bare = '{"model":"m","max_tokens":10,"messages":[{"role":"user","content":"hi"}]}';

describe('jsonl/fixes/rewriteFile', () => {
  let folder: string;
  const file = (name: string) => path.join(folder, name);
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'rewrite-file-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function rewrite(content: string | Buffer, work: RewriteWork): Promise<{ readonly report: RewriteReport; readonly bytes: Buffer }> {
    writeFileSync(file('source'), content);
    const report = await rewriteFile({ path: file('source'), outPath: file('out'), work, rules }, context);
    return { report, bytes: readFileSync(file('out')) };
  }

  const fix = (content: string | Buffer, selection: FixSelection = {}) => rewrite(content, { type: 'fix', selection });
  const fixed = async (lines: readonly string[], selection?: FixSelection) =>
    (await fix(lines.join('\n'), selection)).bytes.toString().split('\n');
  const ids = async (lines: readonly string[], choice: IdChoice) =>
    (await rewrite(lines.join('\n'), { type: 'ids', choice })).bytes
      .toString()
      .split('\n')
      .map(text => /"custom_id":"([^"]*)"/.exec(text)?.[1]);

  /** Rewrites content as the lines of an open document. */
  async function throughDocument(content: string, work: RewriteWork): Promise<string> {
    const lines = content.split('\n');
    const rewriter = createRewriter(work, rules);
    const source = { lineCount: lines.length, lineAt: (line: number) => ({ text: lines[line] ?? '' }) };
    const changes = new Map((await rewriteLines(source, rewriter, check, async () => {})).map(change => [change.line, change.lines]));
    return lines.flatMap((text, line) => changes.get(line) ?? [text]).join('\n');
  }

  it('copies lines without problems byte for byte', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`\ufeff${request('a')}\r\n{"custom_id" : "b", ${params} }\r\n`),
      Buffer.from([0x7b, 0xff, 0xfe, 0x0a]),
      Buffer.from(request('c')),
    ]);
    const { bytes: copy, report } = await fix(bytes);
    assert.deepEqual(copy, bytes);
    assert.equal(report.changedLines, 0);
  });

  it('changes byte order mark, line ends and the last line end only on request', async () => {
    const { bytes, report } = await fix(`\ufeff${request('a')}\r\n\r\n${request('a')}\r\n${request('b')}`, {
      kinds: ['byte-order-mark', 'carriage-returns', 'last-newline', 'blank-line', 'unique-id'],
    });
    assert.equal(bytes.toString(), `${request('a')}\n${request('a-2')}\n${request('b')}\n`);
    assert.deepEqual(Object.fromEntries(report.fixes), {
      'byte-order-mark': 1,
      'carriage-returns': 3,
      'last-newline': 1,
      'blank-line': 1,
      'unique-id': 1,
    });
  });

  it("gives requests without a model the file's most frequent one, only on request", async () => {
    const without = '{"custom_id":"d","params":{"max_tokens":10,"messages":[{"role":"user","content":"hi"}]}}';
    const lines = [
      without,
      request('a').replace('"m"', '"n"'),
      request('b'),
      '{"custom_id":"c","params":{"max_tokens":1,"messages":[]}}',
      request('e'),
    ];
    assert.deepEqual((await fixed(lines)).slice(0, 1), [without]);
    const filled = await fixed(lines, { kinds: ['missing-field'] });
    assert.equal(filled[0], without.replace('{"max', '{"model":"m","max'));
    assert.equal(filled[3], '{"custom_id":"c","params":{"model":"m","max_tokens":1,"messages":[]}}');
  });

  it('keeps the CR of changed lines', async () => {
    assert.equal((await fix(`${request('a b')}\r\n`)).bytes.toString(), `${request('a_b')}\r\n`);
  });

  it('creates, repairs and de-duplicates IDs without using an existing one', async () => {
    assert.deepEqual(
      await fixed([
        request('a'),
        request('a'),
        request('a-2'),
        request('a'),
        `{${params}}`,
        request('line-5'),
        request('a b'),
        request('a_b'),
        `{"custom_id":7,${params}}`,
        request('7'),
      ]),
      [
        request('a'),
        request('a-3'),
        request('a-2'),
        request('a-4'),
        `{"custom_id":"line-5-2",${params}}`,
        request('line-5'),
        request('a_b-2'),
        request('a_b'),
        request('7-2'),
        request('7'),
      ],
    );
  });

  it('creates no ID beside a field that most likely is one, with any value', async () => {
    for (const name of ['custm_id', 'custom_ids', 'cstm_id', 'cust_id', 'customer_id', 'custom_id2', 'my_custom_id']) {
      for (const value of ['["a"]', '{"a":1}', 'null']) {
        const line = `{"${name}":${value},${params}}`;
        assert.deepEqual(await fixed([line]), [line]);
      }
    }
    assert.deepEqual(await fixed([`{"cstm_id":"a",${params}}`]), [`{"cstm_id":"a",${params}}`]);
    assert.deepEqual(await fixed([`{"custm_id":"a",${params}}`]), [request('a')]);
    assert.deepEqual(await ids([`{"cstm_id":"a",${params}}`], { scope: 'missing', scheme: { type: 'number', prefix: 'r', digits: 1 } }), [
      'r1',
    ]);
  });

  it('reserves the IDs of bare lines by their position in the new file', async () => {
    assert.deepEqual(await fixed(['', request('line-2'), bare, request('line-3')]), [request('line-2-2'), bare, request('line-3')]);
    assert.deepEqual(await fixed([bare, request('line-1')], { kinds: ['wrap-params'] }), [request('line-1-2'), request('line-1')]);
  });

  it('fixes one rule only on request', async () => {
    const broken = `{"custom_id":"a b","params":{"model":"m","max_tokens":"10","messages":[],"stream":true}}`;
    assert.deepEqual(await fixed([broken], { rule: 'stream-in-batch' }), [broken.replace(',"stream":true', '')]);
    assert.deepEqual(await fixed([broken], { rule: 'text-pattern' }), [broken.replace('a b', 'a_b')]);
  });

  it('replaces no array or object with an ID, which would lose its content', async () => {
    for (const value of ['["a","b"]', '{"id":"a"}']) {
      const odd = request('x').replace('"x"', value);
      assert.deepEqual(await fixed([odd, request('b')]), [odd, request('b')]);
      assert.deepEqual(await fixed([odd], { rule: 'wrong-type' }), [odd]);
      assert.equal((await fix(odd)).report.problemsLeft, 1);
    }
    assert.deepEqual(await fixed([request('x').replace('"x"', '7')]), [request('7')]);
  });

  it('counts remaining problems', async () => {
    const { report } = await fix([request('a'), '{"custom_id":"b"}', request('a b'), '{"x'].join('\n'));
    assert.deepEqual([report.problemsLeft, report.changedLines, report.requests], [2, 1, 3]);
    assert.equal((await fix([request('a'), request('a')].join('\n'), { kinds: [] })).report.problemsLeft, 1);
  });

  it('ignores rules that are off', async () => {
    writeFileSync(file('source'), `${request('a')}\n\n${request('a')}`);
    const silent = { ...rules, severities: { 'duplicate-id': 'off', 'blank-line': 'off' } as const };
    const report = await rewriteFile({ path: file('source'), work: { type: 'fix', selection: {} }, rules: silent }, context);
    assert.equal(report.changedLines, 0);
  });

  it('only reports changes without a target', async () => {
    const names = readdirSync(folder);
    writeFileSync(file('source'), request('a b'));
    const report = await rewriteFile({ path: file('source'), work: { type: 'fix', selection: {} }, rules }, context);
    assert.deepEqual([report.changedLines, report.fixes], [1, [['repair-id', 1]]]);
    assert.deepEqual(new Set([...names, 'source']), new Set(readdirSync(folder)));
  });

  it('replaces its source if that is the target, and keeps it when it is canceled or changed', async () => {
    writeFileSync(file('source'), request('a b'));
    const source = { path: file('source'), outPath: file('source'), work: { type: 'fix', selection: {} }, rules } as const;
    const stop = new Error('stopped');
    const stopped = rewriteFile(source, { ...context, throwIfAborted: () => assert.fail(stop) });
    await assert.rejects(stopped, stop);
    let touched = false;
    const meanwhile = rewriteFile(source, {
      ...context,
      progress: ({ doneBytes, totalBytes }) => {
        if (!touched && doneBytes * 2 >= totalBytes) {
          touched = true;
          writeFileSync(file('source'), request('c d'));
        }
      },
    });
    await assert.rejects(meanwhile, SourceChangedError);
    assert.equal(readFileSync(file('source'), 'utf8'), request('c d'));
    chmodSync(file('source'), 0o640);
    symlinkSync(file('source'), file('link'));
    await rewriteFile({ ...source, path: file('link'), outPath: file('link') }, context);
    assert.equal(readFileSync(file('source'), 'utf8'), request('c_d'));
    assert.equal(statSync(file('source')).mode & 0o777, 0o640);
    assert.ok(lstatSync(file('link')).isSymbolicLink());
    assert.deepEqual(
      readdirSync(folder).filter(name => name.endsWith('.part')),
      [],
    );
  });

  describe('IDs by a scheme', () => {
    const named = (user: string) => `{${params.replace('"model"', `"metadata":{"user_id":${user}},"model"`)}}`;

    it('numbers requests, with leading zeros on request', async () => {
      const lines = [bare, request('keep'), `{"custom_id":"",${params}}`, 'x', ...Array.from({ length: 8 }, () => bare)];
      const padded = await ids(lines, { scheme: { type: 'number', prefix: 'job-', digits: 2 }, scope: 'missing' });
      assert.deepEqual(padded.slice(0, 5), ['job-01', 'keep', 'job-03', undefined, 'job-04']);
      const all = await ids(lines, { scheme: { type: 'number', prefix: 'job-', digits: 0 }, scope: 'all' });
      assert.deepEqual(all.slice(0, 5), ['job-1', 'job-2', 'job-3', undefined, 'job-4']);
    });

    it('hashes the bytes of the params, and numbers equal ones', async () => {
      const hash = createHash('sha256').update(bare).digest('hex').slice(0, 16);
      assert.deepEqual(await ids([bare, `{"params":${bare}}`, request('a')], { scheme: { type: 'hash' }, scope: 'all' }), [
        hash,
        `${hash}-2`,
        `${hash}-3`,
      ]);
    });

    it('uses a field of the params, repaired, and the line number without it', async () => {
      const scheme = { type: 'field', path: toFieldPath('params.metadata.user_id') } as const;
      assert.deepEqual(await ids([named('"u 1"'), named('7'), named('"u_1"'), named('null')], { scheme, scope: 'all' }), [
        'u_1',
        '7',
        'u_1-2',
        'line-4',
      ]);
      assert.deepEqual(toFieldPath('messages[0].content'), ['messages', 0, 'content']);
    });

    it('previews the first ones', () => {
      const scheme = { type: 'number', prefix: 'a', digits: 3 } as const;
      assert.deepEqual(previewIds(['', bare, request('keep'), bare, bare], { scheme, scope: 'missing' }, 2), ['a001', 'a003']);
    });

    it('finds free IDs quickly with any number of equal ones', async () => {
      const lines = Array.from({ length: 5_000 }, () => request('same'));
      const created = await fixed(lines);
      assert.equal(created.at(-1), request('same-5000'));
      assert.equal(new Set(created).size, lines.length);
    });

    it('keeps every other byte', async () => {
      const text = `{ "params" : ${bare.replace('10', '1.0e1')} , "custom_id" : null }`;
      const { bytes } = await rewrite(text, {
        type: 'ids',
        choice: { scheme: { type: 'number', prefix: 'a', digits: 0 }, scope: 'missing' },
      });
      assert.equal(bytes.toString(), text.replace('null', '"a1"'));
    });
  });

  describe('edits', () => {
    const to = (value: string, scope: EditChoice['scope'] = { by: 'all' }): RewriteWork => ({
      type: 'edit',
      choice: { edit: { kind: 'set', path: ['max_tokens'], value }, scope },
    });

    it('changes one field of all requests and no other byte of the file', async () => {
      const odd = Buffer.from([0x7b, 0xff, 0xfe, 0x0d, 0x0a]);
      const file = (tokens: string) =>
        Buffer.concat([
          Buffer.from(
            `\ufeff${request('a').replace('10', tokens)}\r\n\r\n{"custom_id" : "\\u0062",\t${params.replace('10', tokens)}, "n":1.0e2 }\r\n`,
          ),
          odd,
          Buffer.from(`{"custom_id":"cut\n7\n${bare.replace('10', tokens)}`),
        ]);
      const { bytes, report } = await rewrite(file('10'), to('20.0'));
      assert.deepEqual(bytes, file('20.0'));
      assert.equal(report.changedLines, 3);
      assert.deepEqual(report.edited?.left, [['unreadable', 3]]);
      assert.deepEqual(
        report.edited.examples.map(({ line, id }) => [line, id]),
        [
          [0, 'a'],
          [2, 'b'],
          [6, undefined],
        ],
      );
    });

    it('reports the models and problems, and why lines stay unchanged', async () => {
      const lines = [request('a'), request('b').replace('"m"', '"n"'), request('c').replace('10', '20'), '{"custom_id":"d"}', 'x'];
      const { report } = await rewrite(lines.join('\n'), to('20', { by: 'model', model: 'm' }));
      assert.deepEqual(report.edited?.models, [
        ['m', 2],
        ['n', 1],
      ]);
      assert.deepEqual(Object.fromEntries(report.edited.left), { other: 2, same: 1, unreadable: 1 });
      assert.ok(report.edited.rules.some(([rule, count]) => rule === 'missing-field' && count === 1));
      assert.equal(report.changedLines, 1);
    });

    it('changes only the given IDs and lines', async () => {
      const lines = [request('a'), bare, request('b'), request('ab')];
      const changed = async (scope: EditChoice['scope']) =>
        (await rewrite(lines.join('\n'), to('20', scope))).report.edited?.examples.map(({ line }) => line);
      assert.deepEqual(await changed({ by: 'ids', ids: new Set(['b', 'line-2', 'gone']) }), [2]);
      assert.deepEqual(await changed({ by: 'id', part: 'b' }), [2, 3]);
      assert.deepEqual(await changed({ by: 'lines', lines: new Set([1, 3, 9]) }), [1, 3]);
    });

    it('shortens a long line around the change', async () => {
      const long = request('a').replace('"hi"', `"${'x'.repeat(100_000)}"`);
      const { report } = await rewrite(long, to('99'));
      const [example] = report.edited?.examples ?? [];
      assert.match(example?.after ?? '', /^.{0,100}"max_tokens":99.{0,100}$/);
    });

    it('keeps the old file when it is replaced', async () => {
      const before = `${request('a')}\n`;
      writeFileSync(file('place'), before, { mode: 0o640 });
      const source = { path: file('place'), outPath: file('place'), backupPath: file('place.before'), work: to('20'), rules };
      const report = await rewriteFile(source, context);
      assert.equal(readFileSync(file('place'), 'utf8'), before.replace('10', '20'));
      assert.equal(readFileSync(file('place.before'), 'utf8'), before);
      assert.equal(statSync(file('place')).mode & 0o777, 0o640);
      assert.equal(report.written?.ino, statSync(file('place'), { bigint: true }).ino);
      // An existing file is never overwritten.
      await assert.rejects(rewriteFile(source, context), /EEXIST/);
      assert.equal(readFileSync(file('place'), 'utf8'), before.replace('10', '20'));
    });

    it('restores the old file, through a link too, unless the new one was changed', async () => {
      const change = async (name: string) => {
        rmSync(file('back.before'), { force: true });
        writeFileSync(file('back'), request('a'));
        const source = { path: file(name), outPath: file(name), backupPath: file('back.before'), work: to('20'), rules };
        return (await rewriteFile(source, context)).written ?? assert.fail();
      };
      symlinkSync('back', file('back-link'));
      for (const name of ['back', 'back-link']) {
        const written = await change(name);
        assert.match(readFileSync(file('back'), 'utf8'), /20/);
        assert.equal(await restoreFile(file(name), file('back.before'), written), true);
        assert.equal(readFileSync(file('back'), 'utf8'), request('a'));
        assert.equal(lstatSync(file('back-link')).isSymbolicLink(), true);
      }
      const written = await change('back');
      writeFileSync(file('back'), 'mine');
      assert.equal(await restoreFile(file('back'), file('back.before'), written), false);
      assert.equal(readFileSync(file('back'), 'utf8'), 'mine');
      assert.equal(readFileSync(file('back.before'), 'utf8'), request('a'));
    });

    it('overwrites no file that changed since it was surveyed', async () => {
      writeFileSync(file('seen'), request('a'));
      const { file: seen } = await rewriteFile({ path: file('seen'), work: to('20'), rules }, context);
      writeFileSync(file('seen'), request('b'));
      const source = { path: file('seen'), outPath: file('seen'), backupPath: file('seen.before'), work: to('20'), rules, expected: seen };
      await assert.rejects(rewriteFile(source, context), SourceChangedError);
      assert.equal(readFileSync(file('seen'), 'utf8'), request('b'));
      assert.deepEqual(
        readdirSync(folder).filter(name => name.startsWith('seen')),
        ['seen'],
      );
    });

    it('overwrites no file that is changed while the new one is flushed', async () => {
      writeFileSync(file('late'), request('a'));
      const sync: typeof diskCalls.sync = async out => {
        await out.sync();
        writeFileSync(file('late'), `${request('b')}\n`);
      };
      const source = { path: file('late'), outPath: file('late'), backupPath: file('late.before'), work: to('20'), rules };
      await withDiskCalls({ sync }, () => assert.rejects(rewriteFile(source, context), SourceChangedError));
      assert.equal(readFileSync(file('late'), 'utf8'), `${request('b')}\n`);
      assert.deepEqual(
        readdirSync(folder).filter(name => name.startsWith('late')),
        ['late'],
      );
    });
  });

  const anyLine = fc.oneof(
    { weight: 2, arbitrary: requestLine.map(text => text.trimEnd()) },
    { weight: 3, arbitrary: mutated(requestLine) },
    fc.constantFrom(
      '',
      ' ',
      bare,
      request('a'),
      request('a'),
      request('line-1'),
      request('line-2'),
      request('a b'),
      `{${params}}`,
      `${request('x')}${request('y')}`,
    ),
  );
  const anyWork: fc.Arbitrary<RewriteWork> = fc.oneof(
    fc
      .oneof(
        fc.constant({}),
        fc.record({
          kinds: fc.subarray(everyKind.filter(kind => !['byte-order-mark', 'carriage-returns', 'last-newline'].includes(kind))),
        }),
        fc.record({ rule: fc.constantFrom('json-syntax', 'duplicate-id', 'missing-field', 'text-pattern', 'unknown-field') }),
      )
      .map(selection => ({ type: 'fix' as const, selection })),
    fc
      .record({
        scheme: fc.constantFrom({ type: 'hash' as const }, { type: 'number' as const, prefix: 'line-', digits: 0 }),
        scope: fc.constantFrom('missing' as const, 'all' as const),
      })
      .map(choice => ({ type: 'ids' as const, choice })),
    fc
      .record({
        edit: fc.constantFrom<FieldEdit>(
          { kind: 'set', path: ['max_tokens'], value: '1.0e3' },
          { kind: 'remove', path: ['messages'] },
          { kind: 'set_system', value: '"s"' },
          { kind: 'put_tool', name: 't', value: '{"name":"t"}' },
        ),
        scope: fc.constantFrom<EditChoice['scope']>(
          { by: 'all' },
          { by: 'model', model: 'm' },
          { by: 'problem', rule: undefined },
          { by: 'problem', rule: 'missing-field' },
          { by: 'id', part: 'a' },
          { by: 'lines', lines: new Set([0, 2, 5]) },
        ),
      })
      .map(choice => ({ type: 'edit' as const, choice })),
  );

  it('writes the edited text of an open document, and changes nothing the second time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine, { maxLength: 12 }), anyWork, async (lines, work) => {
        const content = wellFormed(lines);
        const { bytes } = await rewrite(content, work);
        assert.equal(bytes.toString(), await throughDocument(content, work));
        if (work.type !== 'ids') {
          const again = await rewrite(bytes, work);
          assert.equal(again.bytes.toString(), bytes.toString());
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('leaves no duplicate ID', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine, { maxLength: 12 }), fc.boolean(), async (lines, isAll) => {
        const kinds = isAll ? everyKind : undefined;
        const { bytes } = await fix(wellFormed(lines), kinds === undefined ? {} : { kinds });
        const found = bytes
          .toString()
          .split('\n')
          .flatMap((text, line) => {
            const { kind, customId } = check.checkQuickly(text, line);
            return kind === 'params' ? [derivedId(line)] : kind === 'request' && customId !== undefined ? [customId] : [];
          });
        assert.equal(new Set(found).size, found.length, found.join());
      }),
      { numRuns: runs(150) },
    );
  });
});

/** Joins lines. Replaces halves of surrogate pairs, which a file can't contain. */
function wellFormed(lines: readonly string[]): string {
  return Buffer.from(lines.join('\n')).toString();
}
