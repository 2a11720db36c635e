import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { SharedPrefix } from '../../../../src/jsonl/survey/fileSurvey';
import { choosePrefixes, PrefixTable } from '../../../../src/jsonl/survey/prefixTable';
import { promptPath } from '../../../../src/jsonl/survey/promptBlock';
import { type PromptReader, readPrompt } from '../../../../src/jsonl/survey/promptReader';
import { surveyFile } from '../../../../src/jsonl/survey/surveyFile';
import { runs } from '../../../helpers/runs';
import { longText, requestOf } from './surveyTexts';

describe('jsonl/survey/prefixTable', () => {
  function add(table: PrefixTable, line: number, request: string): PromptReader {
    const reader = readPrompt(request, 0) ?? assert.fail();
    table.add(reader, line, 'm');
    return reader;
  }
  /** Returns a request with a system prompt and two blocks that no other request has. */
  const request = (system: string, index: number) =>
    requestOf(
      [
        { type: 'text', text: `first ${index}` },
        { type: 'text', text: `second ${index}` },
      ],
      { system },
    );

  it('stores at most its limit of nodes, and keeps the most shared ones', () => {
    const table = new PrefixTable(1, 1000);
    for (let index = 0; index < 20_000; index++) {
      add(table, index, request(index % 4 === 0 ? 'shared by a quarter' : `own ${index}`, index));
      assert.ok(table.size <= 1000);
    }
    assert.equal(table.isExact, false);
    const [first, ...others] = choosePrefixes(table, 20).map(({ node }) => ({ ...node, path: promptPath(node, node.isWhole) }));
    assert.deepEqual([first?.requests, first?.firstLine, first?.path, others.length], [5000, 0, ['params', 'system'], 0]);
  });

  it('drops pairs too if nothing else can be dropped, and still ends', () => {
    const table = new PrefixTable(1, 100);
    for (let index = 0; index < 2000; index++) {
      for (let times = 0; times < 2 + (index % 3); times++) {
        add(table, index, request(`group ${index}`, index));
      }
      add(table, index, request('shared by all', index));
    }
    assert.ok(table.size <= 100);
    const [first] = choosePrefixes(table, 1).map(({ node }) => ({ ...node, path: promptPath(node, node.isWhole) }));
    assert.deepEqual([first?.requests, first?.path], [2000, ['params', 'system']]);
  });

  it('is exact while everything fits', () => {
    const table = new PrefixTable(1, 1 << 12);
    for (let index = 0; index < 1000; index++) {
      add(table, index, request('shared', index >> 1));
    }
    assert.deepEqual([table.isExact, table.size], [true, 1001]);
  });

  it('distinguishes a thousand blocks of a prompt, and counts the tokens of the rest', () => {
    const blocks = (count: number) => Array.from({ length: count }, (_, index) => ({ type: 'text', text: `word${index}` }));
    const table = new PrefixTable(1);
    const first = add(table, 0, requestOf(blocks(3000), { cache_control: { type: 'ephemeral' } }));
    assert.equal(table.size, 1024);
    assert.equal(first.lastCacheable, -1);
    const long = first.tokens.reduce((sum, tokens) => sum + tokens, 0);
    const short = add(table, 1, requestOf(blocks(1500))).tokens.reduce((sum, tokens) => sum + tokens, 0);
    assert.ok(long > short * 1.9 && long < short * 2.2, `${long} and ${short}`);
  });
});

const quiet = { throwIfAborted: () => {}, progress: () => {} };
const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more });
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const system = longText(2000, 's');
const book = longText(5000, 'b');
const tool = (name: string) => ({ name, description: longText(600, name), input_schema: { type: 'object' } });

describe('jsonl/survey/prefixTable choosePrefixes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'prefixes-'));
  const file = path.join(folder, 'requests.jsonl');
  after(() => rmSync(folder, { recursive: true }));

  const lineOf = (params: object, index: number) =>
    JSON.stringify({ custom_id: `r${index}`, params: { model: 'm', max_tokens: 1, ...params } });
  const surveyLines = async (lines: readonly string[], minimumCachedTokens = 1024) => {
    writeFileSync(file, lines.join('\n'));
    return (await surveyFile(file, { minimumCachedTokens }, quiet)).prefixes;
  };
  const survey = (requests: readonly object[], minimumCachedTokens?: number) => surveyLines(requests.map(lineOf), minimumCachedTokens);
  const brief = (prefixes: readonly SharedPrefix[]) => prefixes.map(({ requests, breakpoint }) => [requests, breakpoint.join('.')]);
  const many = (count: number, params: (index: number) => object) => Array.from({ length: count }, (_, index) => params(index));

  it('finds a system prompt that all share, at its last block', async () => {
    const [prefix, ...others] = await survey(many(10, index => ({ system, messages: [user(`question ${index}`)] })));
    assert.deepEqual(others, []);
    assert.ok(prefix !== undefined && Math.abs(prefix.tokens.likely - 2240) < 300, `${prefix?.tokens.likely} tokens`);
    assert.deepEqual(
      { ...prefix, id: '', tokens: undefined },
      { id: '', model: 'm', requests: 10, firstLine: 0, breakpoint: ['params', 'system'], tokens: undefined, marked: 0, parent: undefined },
    );
    const blocks = await survey(many(3, index => ({ system: [text('a'), text(system)], messages: [user(`question ${index}`)] })));
    assert.deepEqual(brief(blocks), [[3, 'params.system.1']]);
    const tools = await survey(many(3, index => ({ tools: [tool('a'), tool('b')], system: `s${index}`, messages: [] })));
    assert.deepEqual(brief(tools), [[3, 'params.tools.1']]);
  });

  it('reads tools, system and messages in this order, wherever they are in the line', async () => {
    const messages = [user([text(book), text('?')])];
    const same = [
      { tools: [tool('a'), tool('b')], system: 'one', messages },
      { messages, system: [text('two')], tools: [tool('a'), tool('b')] },
    ];
    assert.deepEqual(brief(await survey(same)), [[2, 'params.tools.1']]);
    assert.deepEqual(brief(await survey(same.map(request => ({ ...request, system: 'one' })))), [[2, 'params.messages.0.content.1']]);
    assert.deepEqual(brief(await survey(many(2, index => ({ tools: [tool(`${index}`)], system, messages })))), []);
  });

  it('continues into messages up to the last shared block', async () => {
    const turns = [user(book), assistant('Read.')];
    assert.deepEqual(brief(await survey(many(4, index => ({ messages: [...turns, user(`question ${index}`)] })))), [
      [4, 'params.messages.1.content'],
    ]);
    assert.deepEqual(brief(await survey(many(4, index => ({ messages: [user([text(book), text(`question ${index}`)])] })))), [
      [4, 'params.messages.0.content.0'],
    ]);
  });

  it('treats a string like an equal block, and ignores white space, field order and markers', async () => {
    const lines = [
      lineOf({ system, messages: [user('1')] }, 0),
      lineOf({ system: [text(system)], messages: [user('2')] }, 1),
      lineOf({ system: [{ text: system, type: 'text' }], messages: [user('3')] }, 2),
      lineOf({ system: [text(system, { cache_control: { type: 'ephemeral' } })], messages: [user('4')] }, 3),
      lineOf({ system: [text(system, { cache_control: null })], messages: [user('5')] }, 4),
      JSON.stringify({ params: { messages: [user('6')], system, model: 'm' } }, null, 1).replaceAll('\n', ' '),
      JSON.stringify({ model: 'm', messages: [user('7')], system })
        .replace(/s/g, '\\u0073')
        .replace(/\\u0073y\\u0073tem/g, 'system'),
    ];
    const [prefix] = await surveyLines(lines);
    assert.equal(prefix?.requests, 7);
    assert.equal(prefix?.marked, 1);
  });

  it('distinguishes models, roles and texts', async () => {
    const messages = [user('x')];
    assert.deepEqual(
      await survey([
        { system, messages },
        { system, messages, model: 'n' },
        { system: `${system}!`, messages },
      ]),
      [],
    );
    assert.deepEqual(await survey([{ messages: [user(book), user('1')] }, { messages: [assistant(book), user('1')] }]), []);
    assert.deepEqual(brief(await survey([{ messages: [user(book), user('1')] }, { messages: [user(book), user('2')] }])), [
      [2, 'params.messages.0.content'],
    ]);
    assert.deepEqual(
      await survey([{ messages: [user([text(book), text('1')])] }, { messages: [user([text(book)]), user([text('1')])] }]).then(brief),
      [[2, 'params.messages.0.content.0']],
    );
  });

  it('proposes no prefix that is too short or unique', async () => {
    assert.deepEqual(await survey(many(10, index => ({ system: 'Be short.', messages: [user(`${index}`)] }))), []);
    assert.equal(
      (
        await survey(
          many(10, index => ({ system: 'Be short.', messages: [user(`${index}`)] })),
          1,
        )
      ).length,
      1,
    );
    assert.deepEqual(await survey(many(10, index => ({ system: `${index} ${system}`, messages: [user('?')] }))), []);
  });

  it("ends no prefix at a block that can't be marked", async () => {
    const thinking = { type: 'thinking', thinking: book, signature: 'c2ln' };
    const found = await survey(many(3, index => ({ messages: [user(book), assistant([thinking]), user(`${index}`)] })));
    assert.deepEqual(brief(found), [[3, 'params.messages.0.content']]);
    const deferred = { ...tool('late'), defer_loading: true };
    assert.deepEqual(brief(await survey(many(3, index => ({ tools: [tool('a'), tool('b'), deferred], messages: [user(`${index}`)] })))), [
      [3, 'params.tools.1'],
    ]);
  });

  it('lists the highest savings first, and a shorter prefix only if clearly more requests share it', async () => {
    const ask = (document: string | undefined, index: number) => ({
      system,
      messages: [user([...(document === undefined ? [] : [text(document)]), text(`question ${index}`)])],
    });
    const one = longText(30_000, 'd');
    const two = longText(20_000, 'e');
    const few = [...many(10, index => ask(one, index)), ...many(10, index => ask(two, index))];
    assert.deepEqual(brief(await survey(few)), [
      [10, 'params.messages.0.content.0'],
      [10, 'params.messages.0.content.0'],
    ]);
    const mixed = await survey([...few, ...many(100, index => ask(undefined, index))]);
    assert.deepEqual(brief(mixed), [
      [10, 'params.messages.0.content.0'],
      [120, 'params.system'],
      [10, 'params.messages.0.content.0'],
    ]);
    assert.equal(mixed[0]?.parent, mixed[1]?.id);
    assert.equal(mixed[1]?.parent, undefined);
    // A few more words don't make a separate prefix.
    const close = await survey(many(40, index => ({ system, messages: [user([text(`group ${index % 4}`), text(`${index}`)])] })));
    assert.deepEqual(brief(close), [[40, 'params.system']]);
  });

  it('lists at most twenty', async () => {
    const groups = await survey(many(60, index => ({ system: `${index % 30} ${system}`, messages: [user(`${index}`)] })));
    assert.equal(groups.length, 20);
  });

  it('counts a marker there, or one at the top level that applies, as marked', async () => {
    const marker = { type: 'ephemeral' };
    const [prefix] = await survey([
      { system: [text(system, { cache_control: marker })], messages: [user('1')] },
      { system, cache_control: marker, messages: [user('2')] },
      { system, cache_control: marker, messages: [] },
      { system: [text(system, { cache_control: null })], cache_control: null, messages: [] },
    ]);
    assert.deepEqual([prefix?.requests, prefix?.marked], [4, 2]);
  });

  it('finds the same groups in any order of lines', async () => {
    const request = fc.tuple(fc.nat(2), fc.nat(2), fc.nat(3)).map(([first, second, third]) => ({
      system: longText(50, `s${'abc'[first]}`),
      messages: [user([text(longText(60, `d${'abc'[second]}`)), text(longText(40, `q${'abcd'[third]}`))])],
    }));
    const groups = (prefixes: readonly SharedPrefix[]) => prefixes.map(({ id, requests, tokens }) => [id, requests, tokens.likely]).sort();
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(request, { minLength: 2, maxLength: 25 })
          .chain(requests => fc.tuple(fc.constant(requests), fc.shuffledSubarray(requests, { minLength: requests.length }))),
        async ([one, other]) => {
          // With equal savings or continuations, the result depends on the order of lines, so such cases are skipped.
          const [first, second] = [await survey(one, 130), await survey(other, 130)];
          const isPlain = first.every(({ parent }) => parent === undefined) && second.every(({ parent }) => parent === undefined);
          fc.pre(isPlain && new Set(first.map(({ tokens, requests }) => tokens.likely * (requests - 1))).size === first.length);
          assert.deepEqual(groups(second), groups(first));
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
