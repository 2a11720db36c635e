import assert from 'node:assert/strict';
import * as z from 'zod';
import { CancelledError } from '../../../../src/common/cancellation';
import { Log } from '../../../../src/common/log';
import { PanelHost, type PanelHostOptions } from '../../../../src/common/panels/panelHost';
import { message } from '../../../../src/shared/message';
import { until } from '../../../helpers/until';
import { window } from '../../../helpers/vscode';
import { extension, FakePanel } from './fakePanel';

const schema = z.discriminatedUnion('type', [message('ready'), message('fail', { isCancelled: z.boolean() }), message('act')]);
type From = z.infer<typeof schema>;

describe('common/panels/panelHost', () => {
  const warnings: string[] = [];
  const log = Object.assign(Object.create(Log.prototype), { warn: (text: string) => warnings.push(text), error: () => undefined }) as Log;

  function open(changes: Partial<PanelHostOptions<From, string>> = {}) {
    const panel = new FakePanel();
    const acts: string[] = [];
    const host = new PanelHost<From, string>({
      ...{ extension, log, schema, viewType: 'test', bundle: 'session', panel: panel.asPanel, title: 'One "title"' },
      state: { id: '<b>"' },
      onReady: () => acts.push('ready'),
      onMessage: given => {
        if (given.type === 'fail') {
          throw given.isCancelled ? new CancelledError() : new Error('It failed');
        }
        acts.push(given.type);
      },
      onVisibility: isVisible => acts.push(`visible ${isVisible}`),
      onDispose: () => acts.push('closed'),
      ...changes,
    });
    return { panel, host, acts, say: (given: unknown) => panel.received.fire(given) };
  }

  it('creates a page that runs only its own bundle, and writes state as an attribute', () => {
    const { panel } = open();
    const { html, options } = panel.webview;
    assert.equal(panel.title, 'One "title"');
    assert.match(html, /<title>One &quot;title&quot;<\/title>/);
    assert.match(html, /data-state="{&quot;id&quot;:&quot;&lt;b>\\&quot;&quot;}"/);
    assert.match(
      html,
      /content="default-src 'none'; script-src 'nonce-([\w-]{24})';[^"]*"[\s\S]*<script type="module" nonce="\1" src="[^"]*session.js">/,
    );
    assert.deepEqual(
      { ...options, localResourceRoots: undefined },
      { enableScripts: true, enableCommandUris: false, localResourceRoots: undefined },
    );
  });

  it('sends queued messages once a page is ready, again after it was hidden, and drops optional ones', async () => {
    const { panel, host, acts, say } = open();
    await host.send('first');
    assert.equal(await host.post('dropped'), false);
    assert.deepEqual(panel.posted, []);
    say({ type: 'ready' });
    await until(() => panel.posted.length === 1);
    panel.setVisible(false);
    assert.equal(host.isReady, false);
    await host.send('second');
    panel.setVisible(true);
    assert.equal(await host.post('dropped'), false);
    say({ type: 'ready' });
    await until(() => panel.posted.length === 2);
    assert.deepEqual(panel.posted, ['first', 'second']);
    assert.deepEqual(acts, ['ready', 'visible false', 'visible true', 'ready']);
  });

  it('drops invalid messages', () => {
    const { acts, say } = open();
    say({ type: 'act', command: 'workbench.action.quit' });
    say({ type: 'other' });
    assert.deepEqual([acts, warnings.length], [[], 2]);
    say({ type: 'act' });
    assert.deepEqual(acts, ['act']);
  });

  it('shows failures, but nothing that the user canceled', async () => {
    const shown: string[] = [];
    const { showErrorMessage } = window;
    Object.assign(window, { showErrorMessage: async (text: string) => void shown.push(text) });
    try {
      const { say } = open();
      say({ type: 'fail', isCancelled: true });
      say({ type: 'fail', isCancelled: false });
      await until(() => shown.length > 0);
      assert.deepEqual(shown, ['It failed']);
    } finally {
      Object.assign(window, { showErrorMessage });
    }
  });

  it('ends with its panel, and with its owner', async () => {
    const lifetime = new AbortController();
    const { panel, host, acts, say } = open({ lifetime: lifetime.signal });
    say({ type: 'ready' });
    lifetime.abort();
    assert.ok(panel.isDisposed && host.signal.aborted);
    assert.equal(await host.post('late'), false);
    await host.send('late');
    assert.deepEqual([acts, panel.posted, host.column], [['ready', 'closed'], [], undefined]);
  });
});
