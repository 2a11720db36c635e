import assert from 'node:assert/strict';
import { compareCalls, describeDifferences } from '../../../../../src/features/sessions/testing/compareCalls';

const t = (message: string, ...args: (string | number)[]) => message.replace(/\{(\d)\}/g, (_, at) => String(args[Number(at)]));

describe('features/sessions/testing/differenceMessages', () => {
  it('describes each difference with its path, without ignored ones', () => {
    const calls = [
      { tool: 'bash', input: { command: 'ls', at: 1 }, ignore: ['/at'] },
      { tool: 'read', server: 'files', input: {}, ignore: [] },
    ];
    const actual = [
      { tool: 'bash', input: { at: 2, command: 'ls -a' } },
      { tool: 'grep', input: {} },
    ];
    const compare = { order: 'recorded', extraCalls: 'fail', ignore: [] } as const;
    const messages = describeDifferences(compareCalls(calls, actual, compare), { calls, compare }, actual, t);
    assert.deepEqual(
      messages.map(({ text: words, expected, actual: came, path }) => [words, expected.replace(/\s/g, ''), came.replace(/\s/g, ''), path]),
      [
        ['Arguments of call 1 (bash) differ from those of call 1 of the test.', '{"command":"ls"}', '{"command":"ls-a"}', ['calls', 0]],
        ['Call 2 (files / read) of the test is missing.', '{"tool":"read","server":"files","input":{}}', '', ['calls', 1]],
        ["Call 2 (grep) isn't in the test.", '', '{"tool":"grep","input":{}}', ['calls']],
      ],
    );
  });
});
