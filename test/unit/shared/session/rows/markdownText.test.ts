import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { toQuotedMarkdown } from '../../../../../src/shared/session/rows/markdownText';

describe('shared/session/rows/markdownText', () => {
  const image = '![x](https://example.com/x.png)';

  it('loads no image, whatever fences precede it', () => {
    const before = [
      '   ```\na\n```',
      '- ```\n  a\n  ```\n```',
      '1. ~~~\na\n~~~',
      '> ```\n```',
      '```\na\n   ```\n ```\nb\n```',
      '~~~\n```\n~~~',
    ];
    for (const text of before) {
      const page = new MarkdownIt().render(toQuotedMarkdown(`${text}\n${image}`));
      assert.doesNotMatch(page, /<img/, JSON.stringify(text));
    }
  });

  it('treats no line as code that a viewer with other fence rules may show as text', () => {
    for (const end of ['```~', '```\t', '````~~']) {
      assert.ok(!toQuotedMarkdown(`\`\`\`\na\n${end}\n${image}`).includes('!['), JSON.stringify(end));
      assert.ok(!toQuotedMarkdown(`\`\`\`\na\n${end}\nb\n\`\`\`\n${image}`).includes('!['), JSON.stringify(end));
    }
  });

  it('keeps code unchanged', () => {
    const code = '```js\nif (![1].includes(x) && a <b) {\n```';
    assert.equal(toQuotedMarkdown(code), `${code.replace(/^/gm, '> ')}\n`);
  });
});
