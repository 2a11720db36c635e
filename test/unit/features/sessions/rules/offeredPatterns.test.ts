import assert from 'node:assert/strict';
import type { FieldPattern } from '../../../../../src/features/sessions/rules/approvalRule';
import { offeredPatterns } from '../../../../../src/features/sessions/rules/offeredPatterns';
import { askOf } from './ruleFixtures';

/** Returns the patterns offered for a value, each as its `match` and suggested text. */
function offered(value: unknown, { isDenying = false, tool = 'bash', field = 'command' } = {}): readonly string[] {
  return offeredPatterns(askOf({}, { tool }), field, value, isDenying).map(show);
}

function show(pattern: FieldPattern): string {
  const text = 'words' in pattern ? pattern.words : 'folder' in pattern ? pattern.folder : 'text' in pattern ? pattern.text : undefined;
  return text === undefined ? pattern.match : `${pattern.match} ${text}`;
}

describe('features/sessions/rules/offeredPatterns', () => {
  it('begin with the value as it is, and end with what lets other programs run', () => {
    assert.deepEqual(offered('ls -la src'), ['equals', 'command ls', 'anyArguments ls -la', 'anything']);
    assert.deepEqual(offered('npm test'), ['equals', 'anyArguments npm test', 'anything']);
    assert.deepEqual(offered('git status'), ['equals', 'anyArguments git status', 'anything']);
    assert.deepEqual(offered('ls "a b"'), ['equals', 'command ls', 'anyArguments ls', 'anything']);
    assert.deepEqual(offered('ls; rm x'), ['equals', 'anything']);
    assert.deepEqual(offered(7), ['equals', 'anything']);
  });

  it('hold a command that only reads for the shell of the service alone', () => {
    assert.ok(!offered('ls -la', { tool: 'run' }).includes('command ls'));
    assert.ok(!offered('ls -la', { field: 'note' }).includes('command ls'));
  });

  it('suggest the folder of a path, but none that holds dot files or executables', () => {
    const folders = (path: string, isDenying = false) =>
      offered(path, { tool: 'write', field: 'path', isDenying }).filter(text => text.startsWith('folder'));
    assert.deepEqual(folders('/w/src/a.ts'), ['folder /w/src']);
    assert.deepEqual(folders('src/a.ts'), ['folder src']);
    assert.deepEqual(folders('/w/.git/config.txt'), ['folder ']);
    assert.deepEqual(folders('/w/run.sh'), ['folder ']);
    assert.deepEqual(folders('/a.ts'), []);
    assert.deepEqual(folders('/w/../a.ts'), []);
  });

  it('hold a text to contain only for a rule that denies', () => {
    assert.deepEqual(offered('rm -rf /', { isDenying: true }), ['equals', 'contains ', 'anything']);
  });
});
