import assert from 'node:assert/strict';
import { isWebAddress, longestMarkdown, readMarkdown } from '../../../../../src/webview/controls/markdown/markdownTokens';

describe('webview/controls/markdown/markdownTokens', () => {
  it('renders raw HTML as text', () => {
    const tokens = readMarkdown('<img src=x onerror=alert(1)>\n\n<script>alert(1)</script>') ?? [];
    const types = tokens.flatMap(token => [token.type, ...(token.children ?? []).map(child => child.type)]);
    assert.equal(
      types.some(type => type.startsWith('html')),
      false,
    );
  });

  it('creates no links from addresses in text', () => {
    const tokens = readMarkdown('see https://example.com and www.example.com') ?? [];
    assert.equal(
      tokens.some(token => token.children?.some(child => child.type === 'link_open')),
      false,
    );
  });

  it('keeps very long text plain, and deep nesting shallow', () => {
    assert.equal(readMarkdown('x'.repeat(longestMarkdown + 1)), undefined);
    const tokens = readMarkdown(`${'> '.repeat(5000)}deep`) ?? [];
    assert.ok(tokens.length < 100, String(tokens.length));
  });

  for (const target of ['https://example.com/a?b#c', 'http://127.0.0.1:8080', 'HTTPS://EXAMPLE.COM']) {
    it(`accepts ${target} as a web address`, () => assert.equal(isWebAddress(target), true));
  }
  for (const target of [
    ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'command:workbench.action.quit', 'vscode://file/etc/passwd'],
    ...['file:///etc/passwd', '//example.com', '/relative', '', '#top', 'https:', 'https:example.com', 'https://user:word@example.com'],
    ...['vbscript:x', 'blob:https://example.com/1', 'mailto:a@example.com', 'ftp://example.com'],
  ]) {
    it(`rejects ${target === '' ? 'nothing' : target} as a web address`, () => assert.equal(isWebAddress(target), false));
  }
});
