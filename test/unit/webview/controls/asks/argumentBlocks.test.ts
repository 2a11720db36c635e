import assert from 'node:assert/strict';
import { toArgumentBlocks } from '../../../../../src/webview/controls/asks/argumentBlocks';

describe('webview/controls/asks/argumentBlocks', () => {
  it('shows a command separately and the rest as JSON', () => {
    assert.deepEqual(toArgumentBlocks('bash', pretty({ command: 'ls\npwd', timeout: 5 })), [
      { type: 'command', text: 'ls\npwd' },
      { type: 'json', text: pretty({ timeout: 5 }) },
    ]);
    assert.deepEqual(toArgumentBlocks('Bash', '{"command":"ls"}'), [{ type: 'command', text: 'ls' }]);
  });

  it('shows a change of a file line by line', () => {
    assert.deepEqual(toArgumentBlocks('edit', pretty({ file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true })), [
      {
        type: 'diff',
        path: '/a',
        lines: [
          { sign: '-', text: 'x' },
          { sign: '+', text: 'y' },
        ],
      },
      { type: 'json', text: pretty({ replace_all: true }) },
    ]);
  });

  it('shows the content of a written file', () => {
    assert.deepEqual(toArgumentBlocks('write', pretty({ file_path: '/a', content: 'x\ny' })), [
      { type: 'content', path: '/a', text: 'x\ny' },
    ]);
  });

  for (const [what, tool, json] of [
    ['tools that are not known', 'get_weather', pretty({ command: 'ls' })],
    ['arguments of other kinds', 'bash', pretty({ command: ['ls'] })],
    ['keys that are given twice', 'bash', '{"command":"ls","command":"rm"}'],
    ['numbers that would change', 'bash', '{"command":"ls","timeout":12345678901234567890}'],
    ['what is no JSON', 'bash', '{"command":"ls"'],
    ['lists', 'bash', '["ls"]'],
  ] as const) {
    it(`shows ${what} as JSON`, () => {
      assert.deepEqual(toArgumentBlocks(tool, json), [{ type: 'json', text: json }]);
    });
  }

  it('hides no key, not even one named like an object property', () => {
    const json = '{\n  "command": "ls",\n  "__proto__": "x"\n}';
    assert.deepEqual(toArgumentBlocks('bash', json), [
      { type: 'command', text: 'ls' },
      { type: 'json', text: '{\n  "__proto__": "x"\n}' },
    ]);
  });

  function pretty(value: unknown): string {
    return JSON.stringify(value, null, 2);
  }
});
