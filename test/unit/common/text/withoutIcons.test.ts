import assert from 'node:assert/strict';
import { withoutIcons } from '../../../../src/common/text/withoutIcons';

describe('common/text/withoutIcons', () => {
  it('escapes what VS Code would render as an icon, and keeps the rest', () => {
    assert.equal(withoutIcons('$(check) safe $(sync~spin)'), '\\$(check) safe \\$(sync~spin)');
    for (const text of ['', '$5 (each)', '$(not an icon)', '\\$(check)']) {
      assert.equal(withoutIcons(text), text);
    }
  });
});
