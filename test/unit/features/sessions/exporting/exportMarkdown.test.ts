import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { exportMarkdown } from '../../../../../src/features/sessions/exporting/exportMarkdown';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { toFence, toPlainLine, toQuotedMarkdown } from '../../../../../src/shared/session/rows/markdownText';
import { runs } from '../../../../helpers/runs';
import { recordedObject, recordedPage, recordedStream, withoutPreviews } from '../../../shared/session/recordings';

const renderer = new MarkdownIt({ html: true, linkify: false });
const header = { exportedAt: '2026-11-21T10:00:00Z', source: 'Local (127.0.0.1)' };

function markdownOf(events: readonly TranscriptEvent[], more: Partial<Parameters<typeof exportMarkdown>[0]> = {}): string {
  return [...exportMarkdown({ ...header, ...more }, [{ thread: '', events }])].join('');
}

/** Returns the kinds of a Markdown text's tokens, including inline ones. */
function tokensOf(markdown: string): readonly { readonly type: string; readonly content: string }[] {
  return renderer.parse(markdown, {}).flatMap(token => [token, ...(token.children ?? [])]);
}

function assertHarmless(markdown: string): void {
  const types = new Set(tokensOf(markdown).map(({ type }) => type));
  assert.ok(!types.has('html_block') && !types.has('html_inline') && !types.has('image'), markdown);
}

/** Texts that could break the surrounding Markdown or HTML. */
const hostile = fc
  .array(
    fc.constantFrom(
      ...[
        '<script>',
        '</script>',
        '<img src=x>',
        '<!--',
        '-->',
        '<![CDATA[',
        '<?x',
        '<https://e.com>',
        '![a](https://e.com/x.png)',
        '![a][b]',
      ],
      ...[
        '```',
        '````',
        '~~~',
        '``',
        '`',
        ' ```',
        '  ~~~',
        '    ',
        '\t',
        '- ',
        '1. ',
        '> ',
        '# ',
        '---',
        '===',
        '[b]: https://e.com',
        '\\',
        '&lt;',
      ],
      ...['\n', '\n', '\n\n', '\r', '\r\n', '\u2028', '\u202e', '\u0000', '\u001b', ' ', 'a', '|', '_', '*'],
    ),
    { maxLength: 25 },
  )
  .map(pieces => pieces.join(''));

describe('shared/session/rows/markdownText', () => {
  it("fences text so that its content can't close the fence", () => {
    fc.assert(
      fc.property(hostile, text => {
        const [token, ...others] = renderer.parse(toFence(text, 'json'), {});
        assert.equal(token?.type, 'fence');
        assert.equal(others.length, 0);
      }),
    );
    assert.equal(toFence('a ```` b'), '`````\na ```` b\n`````');
    assert.equal(toFence('`'.repeat(1_000_000)).length, 3_000_004);
    assert.equal(toFence('``` '.repeat(500_000)).startsWith('````\n'), true);
  });

  it("quotes a message that can't leave its quote, and creates no HTML", () => {
    fc.assert(
      fc.property(hostile, text => {
        const markdown = toQuotedMarkdown(text);
        assertHarmless(markdown);
        const outer = renderer.parse(`${markdown}\n# After\n`, {}).filter(({ level, nesting }) => level === 0 && nesting >= 0);
        assert.deepEqual(
          outer.map(({ type }) => type),
          ['blockquote_open', 'heading_open'],
        );
      }),
      { numRuns: runs(1000) },
    );
  });

  it('keeps Markdown in a message, including code', () => {
    const text = '**bold** <b>\n\n```html\n<b>kept</b>\n```\n\n- one\n- two';
    assert.equal(toQuotedMarkdown(text), '> **bold** &lt;b>\n>\n> ```html\n> <b>kept</b>\n> ```\n>\n> - one\n> - two\n');
    assert.equal(toQuotedMarkdown('```\nopen'), '> ```\n> open\n> ```\n');
  });

  it('escapes a line to be literal', () => {
    fc.assert(
      fc.property(hostile, text => {
        const tokens = tokensOf(`- Name: ${toPlainLine(text)}\n`);
        assert.deepEqual(
          [...new Set(tokens.map(({ type }) => type))].filter(
            type => !/^(?:bullet_list|list_item|paragraph|inline|text|text_special)/.test(type),
          ),
          [],
        );
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('features/sessions/exporting/exportMarkdown', () => {
  it('exports a recorded session completely', () => {
    const session = recordedObject('142-session-get-outcome.http');
    const threads = recordedPage('144-threads-list.http') as never;
    const markdown = markdownOf(withoutPreviews(recordedStream('125-stream-tool-confirm.sse')), { session, threads });
    assertHarmless(markdown);
    for (const part of [
      '# Renamed\n',
      '- Agent: Agent 0 v2 (agent\\_9VWOESdgxmYtfdBvKpw2eXvv)\n',
      '- Tokens: 60 input, 170 output, 0 cache read, 0 cache write\n',
      '- Threads: Main, reviewer\n',
      '## Tool Bash · 2026-11-21T09:34:24.088Z\n\n- State: done\n- Permission: asks first\n- Answer: allow\n\nInput:\n\n```json\n{\n  "command": "ls"\n}\n```\n\nResult:\n\n```text\nhi\n```\n',
      '- Answer: deny: No deleting\n',
      'Result (error):\n\n```text\ndenied: No deleting\n```\n',
      '## Thread created: reviewer',
      '## Error: model\\_overloaded\\_error',
      '- What happens next: The service gave up. Send a message to continue.\n',
      '## Running · ',
      '## Paused for your answer · ',
      '## Outcome defined',
      '> Write hi\n',
      '## Compaction',
    ]) {
      assert.ok(markdown.includes(part), part);
    }
  });

  it('names states as the panel does, and unknown ones as the service does', () => {
    const markdown = markdownOf(
      [
        { type: 'user.interrupt', id: 'i' },
        { type: 'session.status_idle', id: 's', stop_reason: { type: 'end_turn' } },
        { type: 'session.status_idle', id: 'n', stop_reason: { type: 'gone_fishing' } },
        { type: 'session.status_rescheduled', id: 'p', stop_reason: { type: 'lunch' } },
        { type: 'session.status_terminated', id: 't' },
      ],
      { session: { id: 's', status: 'terminated' } },
    );
    for (const part of [
      '- State: Terminated\n',
      '## You interrupted the agent\n\n## Turn complete\n\n## Stopped: gone\\_fishing\n\n',
      '## Rescheduled\n\n- Reason: lunch\n\n## Terminated\n',
    ]) {
      assert.ok(markdown.includes(part), markdown);
    }
  });

  it('puts the log of a thread where the thread was created', () => {
    const markdown = [
      ...exportMarkdown(header, [
        {
          thread: '',
          events: [
            { type: 'session.thread_created', id: 't', session_thread_id: 'child', agent_name: 'reviewer' },
            { type: 'agent.message', id: 'z', content: 'after' },
          ],
        },
        { thread: 'child', events: [{ type: 'agent.thinking', id: 'h', content: 'thoughts' }] },
        { thread: 'other', events: [{ type: 'agent.message', id: 'o', content: 'elsewhere' }] },
      ]),
    ].join('');
    const places = [
      '## Thread created: reviewer',
      '## Thread reviewer',
      '### Thinking',
      '> thoughts',
      '> after',
      '## Thread other',
      '> elsewhere',
    ].map(part => markdown.indexOf(part));
    assert.ok(places.every(place => place >= 0));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  });

  it('writes long texts completely', () => {
    const text = `${'x'.repeat(20_000)} end`;
    const markdown = markdownOf([{ type: 'agent.tool_result', id: 'r', content: text }]);
    assert.ok(markdown.includes(text));
  });

  it('creates no HTML and loads nothing, for any content', () => {
    const event = fc.tuple(
      fc.constantFrom(
        'user.message',
        'agent.message',
        'agent.tool_use',
        'agent.tool_result',
        'session.error',
        'user.define_outcome',
        'session.updated',
        'session.thread_created',
        'session.status_idle',
        'other.thing',
      ),
      hostile,
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), hostile, (list, title) => {
        const events = list.map(([type, text], place) => ({
          type,
          id: `${text}${place}`,
          content: text,
          name: text,
          input: { text },
          error: { type: text, message: text, retry_status: text, more: text },
          description: text,
          rubric: { type: 'text', content: text },
          title: text,
          agent_name: text,
          session_thread_id: text,
          stop_reason: { type: text },
        }));
        const markdown = markdownOf(events, { session: { id: title, title, agent: { id: title, name: title } }, source: title });
        assertHarmless(markdown);
        const headings = renderer.parse(markdown, {}).filter(({ type, level }) => type === 'heading_open' && level === 0);
        assert.equal(headings.length, events.length + 1);
      }),
    );
  });
});
