import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { changeSessions } from '../../../src/features/sessions/bulk/bulkSessions';
import { endSession } from '../../../src/features/sessions/endSession';
import { FollowedSessions } from '../../../src/features/sessions/list/followedSessions';
import { SessionStore } from '../../../src/features/sessions/list/sessionStore';
import { openLink } from '../../../src/features/sessions/panel/parts/openLink';
import type { SessionActionContext } from '../../../src/features/sessions/sessionActionContext';
import { contractClient, SessionOnEmulator } from '../../helpers/emulatorClient';
import { MemoryMemento } from '../../unit/features/sessions/memoryMemento';

describe('session actions after a question', () => {
  const { showWarningMessage, showInformationMessage } = vscode.window;
  const connection = { name: 'Lab', baseUrl: 'https://lab.example' };
  let emulator: Emulator;
  let client: ServiceClient;
  let context: SessionActionContext;
  let store: SessionStore;
  /** Message and detail of each modal question. */
  let asked: string[];
  /** Label of the button to press; any other value cancels. */
  let answer: string;
  let told: string[];

  before(async () => {
    emulator = await startEmulator({ scenario: { sessionPause: 0 } });
    client = contractClient(emulator);
    store = new SessionStore({ now: () => Date.now(), monotonic: () => performance.now() }, () => []);
    store.reset('Lab');
    context = {
      connections: { whenKnown: Promise.resolve(), find: () => connection, client: async () => client },
      ...{ store, followed: new FollowedSessions(new MemoryMemento()), panels: { refresh: () => undefined }, isTrusted: () => true },
      ...{ refresh: async () => undefined, lifetime: new AbortController().signal },
    } as unknown as SessionActionContext;
  });

  beforeEach(() => {
    [asked, told, answer] = [[], [], ''];
    Object.assign(vscode.window, {
      showWarningMessage: async (
        message: string,
        { detail }: vscode.MessageOptions,
        ...items: readonly (vscode.MessageItem | string)[]
      ) => {
        asked.push(`${message}\n${detail}`);
        return items.find(item => (typeof item === 'string' ? item : item.title) === answer);
      },
      showInformationMessage: async (message: string) => void told.push(message),
    });
  });

  afterEach(() => {
    Object.assign(vscode.window, { showWarningMessage, showInformationMessage });
  });

  after(async () => {
    await client.close();
    await emulator.stop();
  });

  /** Starts a session and lists it. */
  async function listed(title: string, words: string) {
    const session = await SessionOnEmulator.start(emulator, 'Researcher', { title });
    await session.say(words);
    store.put('Lab', (await client.sessions.retrieve(session.id)).data);
    return { connection: 'Lab', sessionId: session.id };
  }
  const now = async ({ sessionId }: { readonly sessionId: string }) => (await client.sessions.retrieve(sessionId)).data;

  it('interrupt a running session, unless the user declines', async () => {
    const session = await listed('Stop me', 'slow 3600');
    answer = 'Keep Running';
    await assert.rejects(endSession(context, session, 'interrupt'), { name: 'CancelledError' });
    assert.equal((await now(session)).status, 'running');
    answer = 'Interrupt';
    await endSession(context, session, 'interrupt');
    await emulator.advanceClock(0);
    assert.equal((await now(session)).status, 'idle');
    assert.match(asked[1] ?? '', /^Interrupt "Stop me"\?\nConnection: Lab[\s\S]*You can continue with a new message/);
  });

  it('archive after an explanation, and interrupt a running session first', async () => {
    const session = await listed('Archive me', 'slow 3600');
    answer = 'Interrupt and Archive';
    await endSession(context, session, 'archive');
    assert.match(asked[0] ?? '', /^Archive "Archive me"\?[\s\S]*The session is running and will be interrupted first[\s\S]*read-only/);
    assert.equal(typeof (await now(session)).archived_at, 'string');
    assert.equal(typeof store.find(session)?.session.archived_at, 'string');
  });

  it('delete permanently, and remove the row', async () => {
    const session = await listed('Delete me', 'hello');
    answer = 'Delete';
    await endSession(context, session, 'delete');
    assert.match(asked[0] ?? '', /^Delete "Delete me"\?[\s\S]*can't be undone/);
    await assert.rejects(now(session), { kind: 'not_found' });
    assert.equal(store.find(session), undefined);
  });

  it('act on several sessions after one question that names them, and report the outcome', async () => {
    const sessions = [await listed('Runner one', 'slow 3600'), await listed('Runner two', 'slow 3600')];
    answer = 'Interrupt All';
    await changeSessions(context, sessions, 'interrupt');
    await emulator.advanceClock(0);
    assert.match(asked[0] ?? '', /^Interrupt 2 sessions\?[\s\S]*Runner one[\s\S]*Runner two[\s\S]*You can continue with a new message/);
    assert.deepEqual(told, ['Sessions interrupted: 2.']);
    assert.deepEqual(
      (await Promise.all(sessions.map(now))).map(({ status }) => status),
      ['idle', 'idle'],
    );
    answer = 'Delete';
    await changeSessions(context, sessions, 'delete');
    assert.deepEqual(
      sessions.map(session => store.find(session)),
      [undefined, undefined],
    );
    for (const session of sessions) {
      await assert.rejects(now(session), { kind: 'not_found' });
    }
  });

  it("ask before a model's link is opened, name its host, and can copy it instead", async () => {
    await vscode.env.clipboard.writeText('before');
    await openLink('https://example.com/contract');
    assert.match(asked[0] ?? '', /^Open a link to example\.com that a model wrote\?\nhttps:\/\/example\.com\/contract$/);
    assert.equal(await vscode.env.clipboard.readText(), 'before');
    answer = 'Copy Address';
    await openLink('https://example.com/contract');
    assert.equal(await vscode.env.clipboard.readText(), 'https://example.com/contract');
  });
});
