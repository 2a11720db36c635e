import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rangeOf, readTest } from '../../../../../src/features/sessions/testing/testDocument';
import { runs } from '../../../../helpers/runs';

const t = (message: string, ...args: (string | number)[]) => message.replace(/\{(\d)\}/g, (_, at) => String(args[Number(at)]));
const least = { agent: { id: 'agent_1' }, messages: ['bash ls'] };
const read = (document: unknown) => readTest(JSON.stringify(document), t);

describe('features/sessions/testing/testDocument', () => {
  it('fills in defaults', () => {
    assert.deepEqual(read(least), {
      test: {
        agent: { id: 'agent_1', version: 'latest' },
        messages: ['bash ls'],
        calls: [],
        compare: { order: 'recorded', extraCalls: 'fail', ignore: [] },
        answers: [],
        decisions: [],
        decidesOnService: false,
        limitSeconds: 300,
        afterwards: 'archive',
      },
      problems: [],
    });
  });

  it('reads answers as blocks, and a budget as cents', () => {
    const { test } = read({
      ...least,
      budget: '0.50',
      answers: [
        { tool: 'a', content: 'x' },
        { tool: 'b', content: [{ type: 'hologram' }], is_error: true },
      ],
    });
    assert.equal(test?.budget, 50);
    assert.deepEqual(
      test?.answers.map(({ content, isError }) => [content, isError]),
      [
        [[{ type: 'text', text: 'x' }], false],
        [[{ type: 'hologram' }], true],
      ],
    );
  });

  for (const [what, document, place] of [
    ['no object', [], []],
    ['no agent', { messages: ['x'] }, ['agent']],
    ['an agent without id', { ...least, agent: {} }, ['agent', 'id']],
    ['a version that is none', { ...least, agent: { id: 'a', version: 0 } }, ['agent', 'version']],
    ['no message', { ...least, messages: [] }, ['messages']],
    ['an empty message', { ...least, messages: ['x', ' '] }, ['messages', 1]],
    ['a call without tool', { ...least, calls: [{}] }, ['calls', 0, 'tool']],
    ['a path that is none', { ...least, compare: { ignore: ['timeout'] } }, ['compare', 'ignore', 0]],
    ['an unknown order', { ...least, compare: { order: 'some' } }, ['compare', 'order']],
    ['a decision that is none', { ...least, decisions: [{ tool: 'a', decision: 'ask' }] }, ['decisions', 0, 'decision']],
    ['a decision that is missing', { ...least, decisions: [{ tool: 'a' }] }, ['decisions', 0, 'decision']],
    ['an answer without content', { ...least, answers: [{ tool: 'a' }] }, ['answers', 0, 'content']],
    ['a budget that is a number', { ...least, budget: 0.5 }, ['budget']],
    ['a budget of nothing', { ...least, budget: '0' }, ['budget']],
    ['a limit that is none', { ...least, limit_seconds: -1 }, ['limit_seconds']],
    ['a word where true or false belongs', { ...least, decide_on_service: 'yes' }, ['decide_on_service']],
  ] as const) {
    it(`rejects ${what}, with its position`, () => {
      const { test, problems } = read(document);
      assert.equal(test, undefined);
      assert.deepEqual(problems[0]?.path, place);
    });
  }

  it('finds positions in the text', () => {
    const text = '{\n  "calls": [\n    {"tool": "a"},\n    {\n      "tool": "b"\n    }\n  ]\n}\n';
    const at = (...place: (string | number)[]) => {
      const { start, end } = rangeOf(text, place);
      return text.slice(start, end);
    };
    assert.equal(at('calls', 0), '{"tool": "a"}');
    assert.equal(at('calls', 1), '{');
    assert.equal(at('calls', 1, 'tool'), '"b"');
    assert.equal(at('calls', 7), '[');
    assert.equal(at('budget'), '{');
  });

  it('accepts any file without throwing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.record({ calls: fc.jsonValue(), agent: fc.jsonValue() }).map(value => JSON.stringify(value)),
        ),
        text => {
          const { test, problems } = readTest(text, t);
          assert.ok(test !== undefined || problems.length > 0);
          for (const { path } of problems) {
            const { start, end } = rangeOf(text, path);
            assert.ok(0 <= start && start <= end && end <= text.length);
          }
        },
      ),
      { numRuns: runs(3000) },
    );
  });
});
