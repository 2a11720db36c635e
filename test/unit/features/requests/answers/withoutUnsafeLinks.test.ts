import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { isLoopback } from '../../../../../src/client/transport/baseUrl';
import { withoutUnsafeLinks } from '../../../../../src/features/requests/answers/answerHover';
import { toQuotedMarkdown } from '../../../../../src/shared/session/rows/markdownText';
import { runs } from '../../../../helpers/runs';

/** Renderer that creates every link that a viewer might create. */
const renderer = new MarkdownIt({ html: true, linkify: true });
renderer.validateLink = () => true;
renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: true }).add('//', null);

const quoted = (text: string) => toQuotedMarkdown(text, withoutUnsafeLinks);

function linksOf(markdown: string): readonly string[] {
  return renderer
    .parse(markdown, {})
    .flatMap(({ children }) => children ?? [])
    .filter(({ type }) => type === 'link_open')
    .map(token => String(token.attrGet('href')));
}

const textOf = (markdown: string) =>
  renderer
    .parse(markdown, {})
    .flatMap(({ children }) => children ?? [])
    .map(({ content }) => content)
    .join('');

const hostile = fc
  .array(
    fc.constantFrom(
      ...[
        '[x]',
        '[x][b]',
        '[b]: ',
        '](',
        ')',
        '(',
        ']',
        '[',
        ':',
        '!',
        '\\',
        '`',
        '```',
        '<',
        '>',
        '&colon;',
        '&#102;',
        '"t"',
        "'",
        '*',
        '_',
      ],
      ...['file:///etc/passwd', 'command:x', 'vscode://a/b', '//host/share', 'http://evil.example/', 'http://localhost', 'ftp://h/'],
      ...[
        'https://',
        'https://a.example/x_(y)',
        'http://127.0.0.1:80',
        '@evil.example',
        'HTTP://h',
        'a@b.example',
        'www.h.example',
        '../a',
      ],
      ...['\n', '\n', '\r\n', ' ', '    ', '- ', '> ', '.', '/', 'mailto:a@b.example'],
    ),
    { maxLength: 16 },
  )
  .map(pieces => pieces.join(''));

describe('features/requests/answers/withoutUnsafeLinks', () => {
  it('keeps links to https and to this machine', () => {
    for (const line of [
      'See [the docs](https://docs.example/a_(b)?x=1&y=2#z), or https://docs.example/b.',
      '[local](http://127.0.0.1:4010/x) and http://localhost:3000/, [v6](http://[::1]:80)',
    ]) {
      assert.equal(withoutUnsafeLinks(line), line);
    }
  });

  it('turns every other link into text with a visible target', () => {
    for (const text of [
      '[x](file://server/share)',
      '[x](command:workbench.action.quit)',
      '[x](vscode://a.b/c)',
      '[x](../secret.txt)',
      '[x](//server/share)',
      '[x](http://evil.example/)',
      '[x](http://127.0.0.1.evil.example/)',
      '[x](http://localhost,evil.example)',
      '[x](https://good.example@evil.example/)',
      '[x](https://evil.example "https://good.example")',
      '[x](https:evil)',
      '![x](file://server/share)',
      'http://evil.example/ and www.evil.example and ada@evil.example',
    ]) {
      const markdown = quoted(text);
      assert.deepEqual(
        linksOf(markdown).filter(href => !/^https:\/\/(?:good|evil)\.example$/.test(href)),
        [],
        markdown,
      );
      assert.equal(textOf(markdown), text);
    }
    assert.deepEqual(linksOf(quoted('[x][b] [b]\n\n[b]: file://server/share')), []);
    assert.deepEqual(linksOf(quoted('[x](<file://server/share>)\n[y](\nfile://server/share)\n<file://server/share>')), []);
    assert.deepEqual(linksOf(quoted('[x](&#102;ile://server/share)')), []);
    // A link target includes trailing punctuation. An address in a sentence doesn't.
    assert.deepEqual(linksOf(quoted('[x](http://127.0.0.1!)')), ['http://127.0.0.1']);
    // Code takes precedence over links. Here, a link starts before the code, and an address follows the code.
    assert.deepEqual(linksOf(quoted('```](https://a.example/x_(y)```http://evil.example/)')), []);
  });

  it('keeps fenced code', () => {
    assert.equal(quoted('```\n[x](file://y)\n```'), '> ```\n> [x](file://y)\n> ```\n');
  });

  it('lets no unsafe link through, in any combination', () => {
    fc.assert(
      fc.property(hostile, text => {
        for (const href of linksOf(quoted(text))) {
          const { protocol, hostname, username } = new URL(href);
          assert.ok((protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) && username === '', `${href} in ${text}`);
        }
      }),
      { numRuns: runs(3000) },
    );
  });
});
