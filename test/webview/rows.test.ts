import assert from 'node:assert/strict';
import type { Part, Row } from '../../src/shared/session/rows/rows';
import { becomes, eventually } from './eventually';
import { unfoldAll } from './inPanel.mjs';
import { everyRow, everything, messageRow, textPart, toolRow, viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { pictureThemes, themeNames, usePages } from './webviewPage';

const hostile = [
  '<img src="https://evil.test/a.png" onerror="document.title=1"><script>document.title=2</script>',
  '[click](javascript:document.title=3) [run](command:workbench.action.quit) [data](data:text/html,x) [file](file:///etc/passwd)',
  '![shot](https://evil.test/b.png) ![inline](data:image/png;base64,AAAA)',
  '<https://evil.test/auto> [ok](https://example.com/%E2%80%AE) [up](https://user:pass@evil.test)',
  '<iframe src="https://evil.test"></iframe><style>*{display:none}</style><svg onload=alert(1)>',
  'turned \u202earound\u202c, escaped \u001b[31mred, zero\u200bwidth',
  '`code \u202e in it`',
  '```\nblock \u2066 in it\n```',
].join('\n\n');

describe('webview/session/rows', () => {
  usePages();
  let panel: PanelPage;

  for (const theme of pictureThemes) {
    it(`shows a row of every kind and state in ${theme}`, async () => {
      panel = await PanelPage.open({ theme, height: 6000, kept: everything });
      await panel.show(everyRow());
      await becomes(
        () => panel.places(),
        [...everyRow().keys()].map(index => index + 1),
      );
      const said = (await panel.page.getByRole('article').allInnerTexts()).join('\n');
      for (const words of [
        ...['Thought', '1,200 in · 340 out', 'tracker / issues', 'denied', 'Started'],
        ...['The service is retrying.', 'The session has ended.', 'Outcome: needs revision', 'iteration 1 of 3'],
        ...['Compaction', '$0.13', 'agent.dreamt', 'Events may be missing here', 'queued', 'not sent', 'writing…', 'What I found'],
      ]) {
        assert.ok(said.includes(words), `${words} is not in\n${said}`);
      }
      await panel.screenshot(`panel-${theme}`, 1400);
    });
  }

  it('shows which rule answered, and can start a session from a row, or copy a link to it', async () => {
    panel = await PanelPage.open({ height: 1000 });
    const answered = { confirmation: { result: 'allow', seq: 3, at: undefined }, askId: 'ask_1', askSeq: 2 } as const;
    const row = toolRow(2, { ...answered, state: 'done' });
    await panel.show([messageRow(1, 'Begin.', { kind: 'user' }), row], { view: viewOf({ byRule: { ask_1: 'Tests <b>\u202e' } }) });
    await eventually(async () => {
      const said = await panel.page.getByRole('article').nth(1).innerText();
      assert.match(said, /allowed by rule "Tests <b>/);
      assert.doesNotMatch(said, /allowed by you|\u202e/);
    });
    await panel.page.getByRole('article').nth(1).hover();
    await panel.page.getByRole('button', { name: 'Start Again From Here...' }).first().click();
    await becomes(async () => (await panel.posted('startAgain')).map(({ key }) => key), [row.key]);
    await panel.page.getByRole('button', { name: 'Copy Link' }).first().click();
    await becomes(async () => (await panel.posted('copyLink')).map(({ key }) => key), [row.key]);
    await panel.screenshot('panel-rule', 400);
  });

  it("runs and loads nothing from an agent's text, and hides nothing", async () => {
    panel = await PanelPage.open({ height: 1000 });
    await panel.show([
      messageRow(0, hostile),
      messageRow(1, hostile, { kind: 'user' }),
      toolRow(2, {
        name: '<b>bash</b>\u202e',
        summary: hostile.slice(0, 200),
        input: { type: 'json', text: JSON.stringify({ command: hostile }) },
        result: { parts: [textPart(hostile)], isError: true, seq: 3, at: undefined },
        state: 'failed',
      }),
      { ...messageRow(3, ''), kind: 'unknown', type: '<script>', json: { type: 'json', text: hostile } },
    ]);
    for (const [round, end] of [
      [0, 0],
      [1, 1e6],
    ]) {
      await eventually(async () => {
        await panel.page.evaluate(`document.querySelector("[role=feed]").scrollTop = ${end}`);
        await panel.rendered();
        assert.equal(await panel.page.evaluate(unfoldAll), 0);
      });
      const left = await panel.page
        .locator('.timeline :is(img, script, iframe, style, object, embed, form, a[href], [onerror], [onload])')
        .count();
      assert.equal(left, 0, `round ${round}`);
    }
    await panel.page.evaluate('document.querySelector("[role=feed]").scrollTop = 0');
    await panel.rendered();
    const said = await panel.row('turned').first().innerText();
    for (const words of [
      '<script>document.title=2</script>',
      '(javascript:document.title=3)',
      '(command:workbench.action.quit)',
      'U+202E',
      'ESC',
    ]) {
      assert.ok(said.includes(words), words);
    }
    for (const words of [
      '(file:///etc/passwd)',
      '[image: shot] https://evil.test/b.png',
      'U+200B',
      '<style>*{display:none}</style>',
      'U+2066',
    ]) {
      assert.ok(said.includes(words), words);
    }
    assert.equal(/[\p{Cf}\p{Co}\p{Cs}]|(?!\n)\p{Cc}/u.test(said), false);
    await becomes(
      () =>
        panel.page
          .getByRole('link')
          .evaluateAll((links: { getAttribute(name: string): string | null }[]) =>
            [...new Set(links.map(link => link.getAttribute('data-target')))].sort(),
          ),
      ['https://evil.test/auto', 'https://example.com/%E2%80%AE'],
    );
    await panel.screenshot('panel-hostile');
    await becomes(() => panel.page.title(), 'Tidy up the release notes');
  });

  it('opens a link only through the host, and shows its target', async () => {
    panel = await PanelPage.open();
    await panel.show([messageRow(0, 'See [the guide](https://example.com/guide).')]);
    const link = panel.page.getByRole('link', { name: 'the guide' });
    await becomes(() => link.getAttribute('title'), 'https://example.com/guide');
    await link.click();
    await link.focus();
    await panel.page.keyboard.press('Enter');
    const opened = { type: 'openLink', href: 'https://example.com/guide' };
    await becomes(() => panel.posted('openLink'), [opened, opened]);
  });

  it('links an error of a credential to its fix, and no other error', async () => {
    panel = await PanelPage.open();
    const error = (place: number, errorType: string): Row => ({
      ...{ key: `sevt_${place}`, seq: place, at: undefined, raw: false },
      ...{ kind: 'error', type: 'session.error', summary: errorType, errorType, message: 'It was not accepted.' },
    });
    await panel.show([error(0, 'model_overloaded_error'), error(1, 'mcp_authentication_failed_error')]);
    const mend = panel.page.getByRole('button', { name: 'Fix Credential' });
    await becomes(() => mend.count(), 1);
    await mend.click();
    await becomes(() => panel.posted('fixCredential'), [{ type: 'fixCredential', thread: '', key: 'sevt_1' }]);
  });

  it('loads complete text on request, opens it in an editor, and explains a failure', async () => {
    panel = await PanelPage.open();
    await panel.show([
      toolRow(0, { result: { parts: [{ type: 'text', text: 'first', cut: 12_000 }], isError: false, seq: 1, at: undefined } }),
    ]);
    await panel.page.getByRole('button', { name: 'ls -la' }).click();
    await panel.page.getByRole('button', { name: 'Open in Editor' }).click();
    await panel.page.getByRole('button', { name: 'Show all (12 KB)' }).click();
    const asked = { thread: '', key: 'sevt_0', path: 'result.0' };
    await becomes(() => panel.posted('openPart'), [{ type: 'openPart', ...asked }]);
    await becomes(() => panel.posted('loadPart'), [{ type: 'loadPart', ...asked }]);
    await panel.post({ type: 'part', ...asked, text: '', problem: 'It is gone: 404.' });
    await panel.page.getByText('It is gone: 404.').waitFor();
    await panel.page.getByRole('button', { name: /Show all/ }).click();
    await panel.post({ type: 'part', ...asked, text: `first${'x'.repeat(200_000)}last` });
    await panel.page.getByText(/last$/).waitFor();
    await becomes(() => panel.page.getByRole('button', { name: /Show all/ }).count(), 0);
    const { height } = (await panel.page.locator('.codeText').last().boundingBox()) ?? { height: 0 };
    assert.ok(height > 0 && height <= 0.6 * (panel.page.viewportSize()?.height ?? 0), String(height));
  });

  it('copies complete text itself, and requests text that was cut', async () => {
    panel = await PanelPage.open();
    await panel.show([
      messageRow(0, 'All of it.'),
      toolRow(1, { result: { parts: [{ type: 'text', text: 'first', cut: 12_000 }], isError: false, seq: 2, at: undefined } }),
    ]);
    const row = (place: number) => panel.page.getByRole('article').nth(place);
    await row(0).hover();
    await row(0).getByRole('button', { name: 'Copy', exact: true }).click();
    await becomes(() => panel.posted('copyText'), [{ type: 'copyText', text: 'All of it.' }]);
    await row(1).hover();
    await row(1).getByRole('button', { name: 'Copy', exact: true }).click();
    const asked = { type: 'copyRow', thread: '', key: 'sevt_1' } as const;
    await becomes(() => panel.posted('copyRow'), [asked]);
    await row(1).focus();
    await panel.page.keyboard.press('c');
    await becomes(() => panel.posted('copyRow'), [asked, asked]);
    await becomes(async () => (await panel.posted('copyText')).length, 1);
  });

  it('says how many lines of a long text are hidden, and shows them', async () => {
    panel = await PanelPage.open({ height: 3000 });
    const lines = (count: number, from = 1): string => Array.from({ length: count }, (_, n) => `line ${from + n}`).join('\n');
    const change = { file_path: 'a.txt', old_string: lines(30), new_string: lines(30, 101) };
    await panel.show([
      toolRow(0, { result: { parts: [textPart(`${lines(40)}\n`)], isError: false, seq: 1, at: undefined } }),
      toolRow(1, {
        result: { parts: [{ type: 'text', text: lines(30), cut: 12_000, cutLines: 970 }], isError: false, seq: 1, at: undefined },
      }),
      toolRow(2, {
        name: 'edit',
        input: { type: 'json', text: JSON.stringify(change) },
        result: { parts: [], isError: false, seq: 3, at: 0 },
      }),
      messageRow(3, `\`\`\`\n${lines(19)}\n\`\`\`\n\n\`\`\`\n${lines(100)}\n\`\`\``),
    ]);
    await becomes(() => panel.page.evaluate(unfoldAll), 0);
    const more = panel.page.getByRole('button', { name: /^Show (?:[\d,]+ )?[Mm]ore$/ });
    await becomes(() => more.allInnerTexts(), ['Show 24 More', 'Show more', 'Show 44 More', 'Show 84 More']);
    await panel.screenshot('panel-more-lines');
    await panel.page.getByRole('button', { name: 'Show 24 More' }).click();
    await panel.page.getByText(/line 39\nline 40/).waitFor();
    await panel.page.getByRole('button', { name: 'Show 44 More' }).click();
    await becomes(() => panel.page.locator('.ask-line-added').count(), 30);
    await panel.page.getByRole('button', { name: 'Show more' }).click();
    await becomes(() => panel.posted('loadPart'), [{ type: 'loadPart', thread: '', key: 'sevt_1', path: 'result.0' }]);
    await panel.post({ type: 'part', thread: '', key: 'sevt_1', path: 'result.0', text: lines(1000) });
    await panel.page.getByText(/line 999\nline 1000/).waitFor();
    await panel.show([messageRow(4, Array.from({ length: 1000 }, (_, n) => `Paragraph ${n + 1}.\n`).join('\n'))]);
    await panel.page.getByRole('button', { name: /^Show the rest \(1,8\d\d more lines\)$/ }).click();
    await panel.page.getByText('Paragraph 1000.').waitFor();
    await becomes(() => more.allInnerTexts(), []);
  });

  for (const theme of pictureThemes) {
    it(`colours code in messages, arguments and results, and copies it, in ${theme}`, async () => {
      panel = await PanelPage.open({ theme, height: 1400 });
      const source = 'export function greet(name: string): string {\n  // Says hello.\n  return `Hello ` + name + 42;\n}';
      await panel.show([
        messageRow(0, `\`\`\`ts\n${source}\u202e\n\`\`\`\n\n\`\`\`klingon\nlet x = 1\n\`\`\``),
        toolRow(1, { input: { type: 'json', text: '{"command":"if true; then echo \\"$HOME\\"; fi"}' } }),
        toolRow(2, {
          name: 'read',
          input: { type: 'json', text: '{"file_path":"a.py"}' },
          result: { parts: [textPart('def f(x):\n    return "y"')], isError: false, seq: 3, at: 0 },
        }),
        toolRow(4, { name: 'write', input: { type: 'json', text: JSON.stringify({ file_path: 'greet.ts', content: source }) } }),
        toolRow(6, {
          name: 'edit',
          input: {
            type: 'json',
            text: JSON.stringify({
              file_path: 'greet.ts',
              old_string: '/* A greeting,\n * said once. */\nlet words = "Hello";\nreturn words;',
              new_string: '/* A greeting,\n * said twice. */\nconst words = `Hello\u202e`;\nreturn words;',
            }),
          },
        }),
        toolRow(5, { name: 'issues', input: { type: 'json', text: '{\n  "state": "open",\n  "limit": 5\n}' } }),
      ]);
      await becomes(() => panel.page.evaluate(unfoldAll), 0);
      const keywords = (place: number) => panel.page.getByRole('article').nth(place).locator('.codeKeyword').allInnerTexts();
      await eventually(async () => {
        assert.deepEqual((await keywords(0)).slice(0, 2), ['export', 'function']);
        assert.ok((await keywords(1)).includes('then'));
        assert.deepEqual(await keywords(2), ['def', 'return']);
        assert.ok((await keywords(3)).includes('function'));
        assert.deepEqual(await panel.page.getByRole('article').nth(5).locator('.codeName').allInnerTexts(), ['"state"', '"limit"']);
      });
      const changed = panel.page.getByRole('article').nth(4).locator('.ask-line');
      await becomes(async () => (await changed.nth(4).innerText()).includes('U+202E'), true);
      const said = await panel.page.getByRole('article').first().innerText();
      assert.ok(said.includes('U+202E') && !said.includes('\u202e') && said.includes('let x = 1'), said);
      const written = panel.page.getByRole('article').nth(3);
      await written.locator('.codeBlock').first().hover();
      await written.getByRole('button', { name: 'Copy Code' }).first().click();
      await becomes(() => panel.posted('copyText'), [{ type: 'copyText', text: source }]);
      await panel.screenshot(`panel-code-${theme}`);
    });
  }

  it('gives code other colours than its surrounding text, in every theme', async () => {
    panel = await PanelPage.open();
    await panel.show([messageRow(0, '```ts\nreturn 1;\n```')]);
    const keyword = panel.page.locator('.codeKeyword').first();
    await keyword.waitFor();
    for (const theme of themeNames) {
      await panel.setTheme(theme);
      await becomes(
        () => keyword.evaluate(word => getComputedStyle(word).color === getComputedStyle(word.parentElement ?? word).color),
        false,
      );
    }
  });

  it('marks rows that expand', async () => {
    panel = await PanelPage.open();
    const idle = { kind: 'status', type: 'session.status_idle', status: 'idle', summary: 'idle', stopReason: 'interrupted' } as const;
    await panel.show([toolRow(0), messageRow(1, 'said'), { key: 's', seq: 2, at: undefined, ...idle }]);
    const sign = (place: number) => panel.page.getByRole('article').nth(place).locator('.rowFold path').getAttribute('d');
    await becomes(async () => [await sign(0), await sign(1)], ['M6 4l4 4-4 4', 'M4 6l4 4 4-4']);
    await becomes(() => panel.page.getByRole('article').nth(2).locator('.rowFold').count(), 0);
    await panel.page.getByRole('article').nth(0).locator('.rowFold').click();
    await becomes(() => sign(0), 'M4 6l4 4 4-4');
    // The fold button is in the margin and covers nothing.
    const [icon, fold] = await Promise.all(
      ['.icon >> nth=0', '.rowFold'].map(part => panel.page.getByRole('article').nth(0).locator(part).boundingBox()),
    );
    assert.ok(icon && fold && fold.x >= 0 && fold.x + fold.width <= icon.x + 1, JSON.stringify([icon, fold]));
  });

  it('shows images on request, and only those in the event', async () => {
    panel = await PanelPage.open();
    const image = (source: 'base64' | 'url', name: string): Part => ({ type: 'image', source, mediaType: 'image/png', bytes: 68, name });
    await panel.show([messageRow(0, '', { parts: [image('base64', 'inside.png'), image('url', 'outside.png')] })]);
    await becomes(() => panel.page.locator('img').count(), 0);
    await panel.page.getByText("Images from other sites aren't loaded.").waitFor();
    await panel.page.getByRole('button', { name: 'Show Image' }).click();
    await becomes(() => panel.posted('loadPart'), [{ type: 'loadPart', thread: '', key: 'sevt_0', path: 'parts.0' }]);
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    await panel.post({ type: 'part', thread: '', key: 'sevt_0', path: 'parts.0', text: pixel, isImage: true });
    await panel.page.getByRole('img', { name: 'inside.png' }).waitFor();
    await panel.post({ type: 'part', thread: '', key: 'sevt_0', path: 'parts.1', text: 'data:text/html,<script>', isImage: true });
    await panel.rendered();
    await becomes(() => panel.page.locator('img').count(), 1);
  });

  it('limits what huge messages render, and shows the rest on request', async () => {
    panel = await PanelPage.open();
    await panel.show([messageRow(0, Array.from({ length: 2000 }, (_, line) => `- item ${line}`).join('\n'))]);
    await eventually(async () => assert.ok((await panel.page.locator('.timeline *').count()) < 700));
    await panel.page.evaluate('document.querySelector("[role=feed]").scrollTop = 1e9');
    await panel.page.getByRole('button', { name: 'Show the rest' }).click();
    await panel.rendered();
    await panel.page.getByText('item 1999').waitFor();
    await panel.show([messageRow(1, `${'word '.repeat(40_000)}end`)]);
    await panel.row(/word end/).waitFor();
    await panel.show([messageRow(2, 'a\u200bb\u202e'.repeat(900))]);
    await panel.row('[U+202E]').waitFor();
    await eventually(async () => assert.ok((await panel.page.locator('.timeline *').count()) < 300));
  });

  it("shows a call's file change line by line, also after it ran", async () => {
    panel = await PanelPage.open();
    const input = { file_path: 'notes.md', old_string: 'one\ntwo', new_string: 'one\nthree', replace_all: true };
    await panel.show([
      toolRow(0, { name: 'edit', input: { type: 'json', text: JSON.stringify(input, null, 2) } }),
      toolRow(1, { name: 'edit', input: { type: 'json', text: '{ "file_path": "a', cut: 90_000 } }),
    ]);
    await becomes(() => panel.page.evaluate(unfoldAll), 0);
    await becomes(() => panel.page.locator('.ask-line-removed .ask-line-text').allInnerTexts(), ['two']);
    await becomes(() => panel.page.locator('.ask-line-added .ask-line-text').allInnerTexts(), ['three']);
    await panel.page.getByText('"replace_all": true').waitFor();
    // Cut content has a button that loads the whole content.
    await panel.page.getByRole('button', { name: /^Show all/ }).waitFor();
    await panel.screenshot('panel-diff');
  });

  it('opens a file change and the file itself by mouse and by key, from rows with a file', async () => {
    panel = await PanelPage.open();
    const edit = { file_path: 'notes.md', old_string: 'one', new_string: 'two' };
    await panel.show([
      toolRow(0, { name: 'edit', input: { type: 'json', text: JSON.stringify(edit, null, 2) } }),
      toolRow(1, { name: 'read', input: { type: 'json', text: '{\n  "file_path": "notes.md"\n}' } }),
      toolRow(2, { name: 'write', input: { type: 'json', text: '{ "content": "long', cut: 90_000 } }),
      toolRow(3),
      toolRow(4, { name: 'edit', input: { type: 'json', text: '{ "issue": 7 }' } }),
    ]);
    const acts = async (place: number): Promise<readonly number[]> => {
      const row = panel.page.getByRole('article').nth(place);
      await row.hover();
      await row.getByRole('button', { name: 'Open as JSON' }).waitFor();
      return await Promise.all(['Open Change', 'Open in Workspace'].map(name => row.getByRole('button', { name }).count()));
    };
    assert.deepEqual(
      [await acts(0), await acts(1), await acts(2), await acts(3), await acts(4)],
      [
        [1, 1],
        [0, 1],
        [1, 1],
        [0, 0],
        [0, 0],
      ],
    );
    await panel.page.getByRole('article').nth(0).hover();
    await panel.page.getByRole('button', { name: 'Open Change' }).click();
    await panel.page.getByRole('button', { name: 'Open in Workspace' }).click();
    for (const place of [0, 1, 3]) {
      await panel.page.getByRole('article').nth(place).focus();
      await panel.page.keyboard.press('v');
      await panel.page.keyboard.press('f');
    }
    const change = { type: 'openChange', thread: '', key: 'sevt_0' };
    const file = { type: 'openInWorkspace', thread: '', key: 'sevt_0' };
    await becomes(() => panel.posted('openInWorkspace'), [file, file, { ...file, key: 'sevt_1' }]);
    await becomes(() => panel.posted('openChange'), [change, change]);
    await panel.page.getByRole('article').nth(0).hover();
    await panel.screenshot('panel-file-acts', 300);
  });

  it("shows the other rows if one can't be rendered", async () => {
    panel = await PanelPage.open();
    const { input: _, ...broken } = toolRow(1, { name: 'edit' });
    await panel.show([messageRow(0, 'before'), broken as unknown as Row, messageRow(2, 'after')]);
    await panel.row("This content can't be shown here. agent.tool_use").waitFor();
    await panel.row("This content can't be shown here. agent.tool_use").hover();
    await panel.page.getByRole('button', { name: 'Open as JSON' }).first().waitFor();
    await becomes(async () => [await panel.row('before').count(), await panel.row('after').count()], [1, 1]);
  });

  it('copies code, in the colours of the theme', async () => {
    panel = await PanelPage.open();
    await panel.show([messageRow(0, '```js\nlet a = 1;\n```\n\nand **bold**')]);
    await panel.page.locator('.codeBlock').hover();
    await panel.page.getByRole('button', { name: 'Copy Code' }).click();
    await becomes(() => panel.posted('copyText'), [{ type: 'copyText', text: 'let a = 1;' }]);
    const background = await panel.page.evaluate(() => {
      // VS Code styles `code` like this in every webview.
      const own = new CSSStyleSheet();
      own.replaceSync('code { background-color: rgb(1, 2, 3); }');
      document.adoptedStyleSheets = [own];
      return [...document.querySelectorAll('.codeBlock code')].map(code => getComputedStyle(code).backgroundColor);
    });
    assert.deepEqual(background, ['rgba(0, 0, 0, 0)']);
  });

  it('shows the full time on hover, and nothing for an invalid time', async () => {
    panel = await PanelPage.open();
    await panel.show([messageRow(0, 'now'), messageRow(1, 'never', { at: undefined }), messageRow(2, 'beyond', { at: 1e300 })]);
    const time = panel.page.getByText('9:30:00 AM', { exact: true });
    await time.hover();
    await becomes(() => time.getAttribute('title'), 'Monday, January 5, 2026 at 9:30:00 AM UTC\n2026-01-05T09:30:00.000Z');
    await becomes(() => panel.page.locator('time').count(), 1);
  });

  it('names the thread of each row from another one, distinguishes threads of one agent, and links to them', async () => {
    panel = await PanelPage.open({ height: 900 });
    const threads = [
      { id: 'main', name: 'Main', isPrimary: true },
      { id: 't1', name: 'Checker', isPrimary: false },
      { id: 't2', name: 'Checker', isPrimary: false },
      { id: 't3', name: 'Writer \u202e with a name that is much longer than there is room for in a narrow row', isPrimary: false },
    ].map(thread => ({ ...thread, status: 'running', waiting: 0, archived: false }));
    const from = {
      kind: 'thread',
      type: 'agent.thread_message_received',
      step: 'received',
      otherThread: 't2',
      agentName: 'Checker',
    } as const;
    await panel.show(
      [
        toolRow(0, { thread: 't1', state: 'waiting' }),
        toolRow(1, { thread: 't2' }),
        messageRow(2, 'Found two.', { thread: 't3' }),
        messageRow(3, 'Said in Main.', { thread: 'main' }),
        { ...messageRow(4, 'x'), ...from },
      ],
      { view: viewOf({ threads }) },
    );
    const names = panel.page.locator('.rowThread');
    const writer = /^Writer \\u\{202e\}/;
    await eventually(async () => {
      const [one, two, three, ...others] = await names.allInnerTexts();
      assert.deepEqual([one, two, others], ['Checker 1', 'Checker 2', []]);
      assert.doesNotMatch(three ?? '', /\u202e/);
      assert.match(three ?? '', writer);
    });
    await panel.row('Message from Checker 2').waitFor();
    await panel.page.getByRole('article', { name: 'Thread Checker 1, Tool bash, needs approval: ls -la', exact: true }).waitFor();
    await panel.page.getByRole('tab', { name: 'Checker 2' }).waitFor();
    await panel.screenshot('panel-threads', 500);
    await panel.page.getByRole('button', { name: 'Show Thread Checker 2' }).click();
    await becomes(() => panel.posted('openThread'), [{ type: 'openThread', thread: 't2' }]);
    // A row doesn't name its thread while the panel shows only this thread.
    await panel.show([toolRow(1, { thread: 't2' })], { thread: 't2', view: viewOf({ threads }) });
    await panel.row('ls -la').waitFor();
    await becomes(() => names.count(), 0);
  });

  it('goes to the thread that a row links to', async () => {
    panel = await PanelPage.open();
    await panel.show([
      {
        ...messageRow(0, 'x'),
        kind: 'thread',
        type: 'agent.thread_message_sent',
        step: 'sent',
        otherThread: 'thread_2',
        agentName: 'Checker',
        parts: [],
      },
    ]);
    await panel.page.getByRole('button', { name: 'Show Thread' }).click();
    await becomes(() => panel.posted('openThread'), [{ type: 'openThread', thread: 'thread_2' }]);
  });
});
