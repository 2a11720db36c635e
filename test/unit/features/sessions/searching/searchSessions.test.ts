import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { searchSessions } from '../../../../../src/features/sessions/searching/searchSessions';
import type { SessionActionContext } from '../../../../../src/features/sessions/sessionActionContext';

const noEvent = () => new vscode.Disposable(() => undefined);

/** A picker whose last choice is accepted as soon as it is shown. */
function pickerOf(value: string): object {
  const picker = {
    value,
    items: [] as readonly object[],
    selectedItems: [] as readonly object[],
    onDidChangeValue: noEvent,
    onDidHide: noEvent,
    onDidTriggerButton: noEvent,
    dispose: () => undefined,
    accept: () => undefined,
    onDidAccept: (accept: () => undefined) => {
      picker.accept = accept;
      return noEvent();
    },
    show: () => {
      picker.selectedItems = picker.items.slice(-1);
      picker.accept();
    },
  };
  return picker;
}

/** A service whose session s2 can't be read and whose session `matching` contains "hello". */
function contextOf(matching: string, opened: string[]): SessionActionContext {
  const listed = ['s1', 's2', 's3'].map(id => ({
    ...{ connection: 'Lab', state: 'idle', asks: [], name: undefined },
    session: { id, type: 'session', status: 'idle' },
  }));
  const events = (id: string) => ({
    list: async () => {
      if (id === 's2') {
        throw new Error('Gone.');
      }
      const text = id === matching ? 'hello' : 'other';
      const event = { id: `${id}_1`, type: 'user.message', content: [{ type: 'text', text }], processed_at: '2026-11-21T09:00:00Z' };
      return { items: [event], nextCursor: undefined, requestId: undefined };
    },
  });
  const connection = { name: 'Lab' };
  return {
    connections: {
      ...{ whenKnown: Promise.resolve(), state: 'ready', current: connection, find: () => connection },
      client: async () => ({ sessions: { events } }),
    },
    store: { list: { isListed: true }, all: () => listed, facts: { logOf: () => undefined } },
    presentation: () => ({ now: 0, locale: 'en', translate: vscode.l10n.t }),
    panels: { open: async ({ sessionId }: { readonly sessionId: string }) => void opened.push(sessionId) },
    followed: { follow: async () => undefined },
    lifetime: new AbortController().signal,
  } as unknown as SessionActionContext;
}

describe('features/sessions/searching/searchSessions', () => {
  const { createQuickPick, showInformationMessage } = vscode.window;
  const shown: string[] = [];
  const pickers: { title?: string }[] = [];

  beforeEach(() => {
    shown.length = 0;
    pickers.length = 0;
    Object.assign(vscode.window, {
      createQuickPick: () => {
        const picker = pickerOf('hello');
        pickers.push(picker);
        return picker;
      },
      showInformationMessage: async (message: string) => void shown.push(message),
    });
  });

  afterEach(() => Object.assign(vscode.window, { createQuickPick, showInformationMessage }));

  it('says how many of the sessions were searched if none matches', async () => {
    await searchSessions(contextOf('none', []));
    assert.deepEqual(shown, ['No matches · 2 of 3 sessions searched · Gone.']);
  });

  it('says how many of the sessions were searched beside the matches', async () => {
    const opened: string[] = [];
    await searchSessions(contextOf('s3', opened));
    assert.deepEqual(opened, ['s3']);
    assert.equal(pickers.at(-1)?.title, 'Sessions with "hello": 1. 2 of 3 sessions searched');
  });
});
