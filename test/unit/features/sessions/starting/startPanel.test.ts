import assert from 'node:assert/strict';
import { setImmediate as othersTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Session, SessionParams } from '../../../../../src/client/resources/sessions';
import { ServiceError } from '../../../../../src/client/transport/errors';
import type { Connection } from '../../../../../src/features/connection';
import type { SessionActionContext } from '../../../../../src/features/sessions/sessionActionContext';
import type { ShowOptions } from '../../../../../src/features/sessions/sessionPanels';
import { type FilledStart, StartPanel } from '../../../../../src/features/sessions/starting/startPanel';
import type { FromStart, StartState } from '../../../../../src/shared/session/startProtocol';
import { MemoryMemento } from '../memoryMemento';

const connection = { name: 'Lab', baseUrl: 'http://127.0.0.1:1', dialect: 'contract' } as Connection;
const lost = () => new ServiceError('lost', { kind: 'timeout', outcome: 'unknown', method: 'POST', host: 'h', path: '/v1/sessions' });
const refused = () =>
  new ServiceError('no', { kind: 'invalid_request', outcome: 'refused', method: 'POST', host: 'h', path: '/', status: 400 });

/** A service, and a window with panels that start sessions. */
class Window {
  readonly memento = new MemoryMemento();
  readonly sessions: Session[] = [];
  readonly created: SessionParams[] = [];
  readonly sent: (readonly [id: string, text: string])[] = [];
  readonly opened: { readonly id: string; readonly given: string | undefined }[] = [];
  /** Failures of the next creations. If `isKept` is true, the service creates the session despite the error. */
  readonly faults: { readonly error: Error; readonly isKept: boolean }[] = [];
  agents = [{ id: 'agent_1', name: 'Packer', version: 3 }];
  sendFault: Error | undefined;
  isGone = false;

  open(filled: Partial<FilledStart> = {}) {
    const states: StartState[] = [];
    let receive: (message: FromStart) => void = () => undefined;
    let isClosed = false;
    const panel = {
      title: 'New Session',
      webview: {
        ...{ html: '', options: {}, cspSource: '', asWebviewUri: (uri: object) => uri },
        onDidReceiveMessage: (listener: typeof receive) => {
          receive = listener;
          return { dispose: () => undefined };
        },
        postMessage: async (message: { readonly type: string }) => message.type === 'start' && states.push(message as StartState),
      },
      onDidDispose: () => ({ dispose: () => undefined }),
      onDidChangeViewState: () => ({ dispose: () => undefined }),
      dispose: () => {
        isClosed = true;
      },
    };
    const whole = { heading: 'New Session', notes: [], button: 'Start', answers: {}, ...filled };
    new StartPanel(this.deps(), connection, whole, {}, { panel: panel as never });
    receive({ type: 'ready' });
    const settled = async (): Promise<StartState> => {
      for (let turn = 0; turn < 1000; turn++) {
        await othersTurn();
        const state = states.at(-1);
        if (state?.isBusy === false) {
          return state;
        }
      }
      throw new Error(`still busy ${JSON.stringify(states)}`);
    };
    return {
      settled,
      post: async (message: FromStart) => {
        await settled();
        receive(message);
        return await settled();
      },
      isClosed: () => isClosed,
    };
  }

  private deps(): SessionActionContext {
    const page = <T>(items: readonly T[]) => ({ items, nextCursor: undefined, requestId: undefined });
    const client = {
      agents: { list: async () => page(this.agents), retrieve: async () => ({ data: this.agents[0] }) },
      environments: { list: async () => page([{ id: 'env_1', name: 'Default' }]) },
      memoryStores: { list: async () => page([]) },
      vaults: { list: async () => page([]) },
      sessions: {
        list: async () => page(this.sessions),
        create: async (params: SessionParams) => {
          this.created.push(params);
          const fault = this.faults.shift();
          const session = {
            id: `sesn_${this.created.length}`,
            type: 'session',
            title: params.title,
            agent: { id: 'agent_1', type: 'agent' },
          };
          if (fault === undefined || fault.isKept) {
            this.sessions.push(session as Session);
          }
          if (fault !== undefined) {
            throw fault.error;
          }
          return { data: session, requestId: undefined };
        },
        send: async (id: string, [event]: readonly { readonly content: readonly { readonly text: string }[] }[]) => {
          if (this.sendFault !== undefined) {
            throw this.sendFault;
          }
          this.sent.push([id, event?.content[0]?.text ?? '']);
        },
      },
    };
    return {
      connections: { whenKnown: Promise.resolve(), find: () => (this.isGone ? undefined : connection), client: async () => client },
      memento: this.memento,
      extension: vscode.Uri.file('/extension'),
      store: { put: () => undefined },
      followed: { follow: async () => undefined },
      panels: {
        open: async ({ sessionId: id }: { readonly sessionId: string }, { given, replaces }: ShowOptions) => {
          this.opened.push({ id, given });
          replaces?.dispose();
        },
      },
      log: { error: () => undefined, warn: () => undefined },
      presentation: () => ({ translate: (text: string) => text, locale: 'en', now: 0 }),
      refresh: async () => undefined,
      lifetime: new AbortController().signal,
    } as unknown as SessionActionContext;
  }
}

describe('features/sessions/starting/startPanel', () => {
  it('starts with the only agent and environment, sends the message, and turns into the session', async () => {
    const window = new Window();
    const panel = window.open();
    const { chips } = await panel.settled();
    assert.deepEqual(
      chips.map(({ part, value }) => [part, value]),
      [
        ['agent', 'Packer v3'],
        ['environment', 'Default'],
        ['files', ''],
        ['budget', ''],
        ['title', ''],
        ['more', ''],
      ],
    );
    await panel.post({ type: 'start', text: 'two\nlines' });
    assert.deepEqual(window.created, [{ agent: 'agent_1', environment_id: 'env_1' }]);
    assert.deepEqual(window.sent, [['sesn_1', 'two\nlines']]);
    assert.deepEqual(window.opened, [{ id: 'sesn_1', given: undefined }]);
    assert.equal(panel.isClosed(), true);
  });

  it("starts with the connection's last agent", async () => {
    const window = new Window();
    window.agents.push({ id: 'agent_2', name: 'Other', version: 1 });
    assert.equal((await window.open().settled()).chips[0]?.value, '');
    await window.memento.update('managedAgents.lastAgents', { Lab: 'agent_1' });
    assert.equal((await window.open().settled()).chips[0]?.value, 'Packer v3');
  });

  it('uses the environment that a command passed', async () => {
    const environment = (id: string) => ({ answers: { environment: { id, name: id } } });
    assert.equal((await new Window().open(environment('env_1')).settled()).chips[1]?.value, 'Default');
    assert.equal((await new Window().open(environment('env_9')).settled()).chips[1]?.value, 'env_9');
  });

  it('keeps all input when it is rejected, and retries with Enter', async () => {
    const window = new Window();
    window.faults.push({ error: refused(), isKept: false });
    const panel = window.open({ answers: { title: 'Mine', budget: 150 } });
    const { failure, button, chips } = await panel.post({ type: 'start', text: 'go' });
    assert.deepEqual([failure?.isUnknown, button, chips[4]?.value], [false, 'Try Again', 'Mine']);
    await panel.post({ type: 'start', text: 'go' });
    assert.equal(window.created.length, 2);
    assert.deepEqual(window.sent, [['sesn_2', 'go']]);
  });

  it('searches for the session before it may create another one, also from another panel, when the response was lost', async () => {
    const window = new Window();
    window.faults.push({ error: lost(), isKept: true });
    const first = await window.open().post({ type: 'start', text: 'go' });
    assert.deepEqual([first.failure?.isUnknown, first.button], [true, 'Check Again']);
    const panel = window.open();
    const { failure, button } = await panel.post({ type: 'start', text: 'go' });
    assert.deepEqual([failure?.appeared, button], [[{ id: 'sesn_1', title: 'sesn_1' }], 'Check Again']);
    assert.equal(window.created.length, 1);
    await panel.post({ type: 'openStarted', id: 'sesn_1', text: 'go' });
    // Another user may have started this session, so the message is only prefilled, not sent.
    assert.deepEqual([window.opened, window.sent], [[{ id: 'sesn_1', given: 'go' }], []]);
    assert.equal((await window.open().settled()).failure, undefined);
  });

  it('stays uncertain after a lost response, whatever fails or is chosen later', async () => {
    const window = new Window();
    window.faults.push({ error: lost(), isKept: false });
    const panel = window.open();
    await panel.post({ type: 'start', text: 'go' });
    window.isGone = true;
    const { showErrorMessage } = vscode.window;
    vscode.window.showErrorMessage = async () => undefined;
    try {
      assert.equal((await panel.post({ type: 'choose', part: 'title' })).failure?.isUnknown, true);
      assert.equal((await panel.post({ type: 'start', text: 'go' })).failure?.isUnknown, true);
    } finally {
      vscode.window.showErrorMessage = showErrorMessage;
    }
    window.isGone = false;
    assert.equal((await panel.post({ type: 'start', text: 'go' })).button, 'Check Again');
    assert.equal(window.created.length, 1);
  });

  it("creates another one after the user said that the first wasn't started", async () => {
    const window = new Window();
    window.faults.push({ error: lost(), isKept: false });
    const panel = window.open();
    await panel.post({ type: 'start', text: 'go' });
    assert.equal((await panel.post({ type: 'choose', part: 'another' })).button, 'Start');
    await panel.post({ type: 'start', text: 'go' });
    assert.deepEqual(window.sent, [['sesn_2', 'go']]);
  });

  it('puts unsent text into the session', async () => {
    const window = new Window();
    window.sendFault = refused();
    const panel = window.open();
    await panel.post({ type: 'start', text: 'go' });
    assert.deepEqual(window.opened, [{ id: 'sesn_1', given: 'go' }]);
  });

  it('starts one session of each version, and none twice', async () => {
    const window = new Window();
    const started: number[] = [];
    const agent = { id: 'agent_1', name: 'Packer', version: undefined, latest: 5 };
    const panel = window.open({
      answers: { agent, versions: [3, 5] },
      toMessage: text => `${text}!`,
      onStarted: ({ length }) => started.push(length),
    });
    assert.equal((await panel.post({ type: 'start', text: ' ' })).failure?.text, 'Enter a message');
    window.faults.push({ error: refused(), isKept: false });
    await panel.post({ type: 'start', text: 'go' });
    assert.deepEqual([window.created.length, window.sent], [1, []]);
    await panel.post({ type: 'start', text: 'go' });
    assert.deepEqual(
      window.created.slice(1).map(({ agent: of, title }) => [of, title]),
      [3, 5].map(version => [{ type: 'agent', id: 'agent_1', version }, `go · v${version}`]),
    );
    assert.deepEqual(window.sent, [
      ['sesn_2', 'go!'],
      ['sesn_3', 'go!'],
    ]);
    assert.deepEqual(started, [2]);
  });
});
