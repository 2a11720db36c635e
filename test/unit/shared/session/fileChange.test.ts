import assert from 'node:assert/strict';
import { fileCallOf } from '../../../../src/shared/session/fileChange';

describe('shared/session/fileChange', () => {
  it('reads how a call changes a file, for either tool', () => {
    assert.deepEqual(fileCallOf('Edit', JSON.stringify({ path: '/a', old_str: 'x', new_str: '' })), {
      path: '/a',
      change: { type: 'edit', path: '/a', before: 'x', after: '', names: ['path', 'old_str', 'new_str'] },
    });
    assert.deepEqual(fileCallOf('write', JSON.stringify({ file_path: 'b', content: 'y', file_text: 'z' })), {
      path: 'b',
      change: { type: 'write', path: 'b', before: '', after: 'y', names: ['file_path', 'content'] },
    });
    assert.deepEqual(fileCallOf('read', '{"file_path":"c","content":"no change"}'), { path: 'c', change: undefined });
    assert.deepEqual(fileCallOf('edit', '{"file_path":"c","old_string":1,"new_string":"x"}'), { path: 'c', change: undefined });
  });

  it('finds no file if none is named', () => {
    for (const [tool, json] of [
      ['bash', '{"file_path":"a"}'],
      ['edit', '{"old_string":"x","new_string":"y"}'],
      ['edit', '{"file_path":["a"]}'],
      ['write', '["file_path"]'],
      ['write', 'null'],
      ['write', '{"file_path":'],
      ['write', '"file_path"'],
    ] as const) {
      assert.equal(fileCallOf(tool, json), undefined, `${tool} ${json}`);
    }
  });
});
