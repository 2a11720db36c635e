import assert from 'node:assert/strict';
import { withoutIcons } from '../../../../src/common/text/withoutIcons';

describe('common/text/withoutIcons', () => {
  it('takes the meaning from what VS Code would draw as an icon, and leaves the rest as it is', () => {
    assert.equal(withoutIcons('$(check) safe $(sync~spin)'), '\\$(check) safe \\$(sync~spin)');
    for (const text of ['', '$5 (each)', '$(not an icon)', '\\$(check)']) {
      assert.equal(withoutIcons(text), text);
    }
  });
});
