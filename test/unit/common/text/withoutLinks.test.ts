import assert from 'node:assert/strict';
import { withoutLinks } from '../../../../src/common/text/withoutLinks';

/** VS Code's own pattern for links in notifications and below input boxes. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

describe('common/text/withoutLinks', () => {
  it('leaves nothing that VS Code turns into a link', () => {
    const texts = [
      '[Allow](command:workbench.action.terminal.new)',
      'rm [all](https://example.com "title") and [more](file:///etc)',
      '[a](command:x)](command:y)',
    ];
    for (const text of texts) {
      assert.match(text, link);
      link.lastIndex = 0;
      assert.doesNotMatch(withoutLinks(text), link);
    }
  });

  it('keeps every other text', () => {
    for (const text of ['', 'plain (words) [here] ( there', 'a[0] (b)', 'f(x)[1]']) {
      assert.equal(withoutLinks(text), text);
    }
  });
});
