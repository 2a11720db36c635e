import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { BatchReference } from '../../../src/contributions';
import { archiveAgent } from '../../../src/features/agents/agentActs';
import type { AgentFlow } from '../../../src/features/agents/agentFlow';
import { AgentService } from '../../../src/features/agents/agentService';
import { restoreVersion } from '../../../src/features/agents/agentVersions';
import { publishAgent } from '../../../src/features/agents/publishAgent';
import { createBatchCommands } from '../../../src/features/batches/batchCommands';
import { cancelGroup, deleteGroup } from '../../../src/features/batches/groups/groupCommands';
import type { RunDependencies } from '../../../src/features/batches/runCommands';
import { type Connections, reach } from '../../../src/features/connection';
import { everyKind } from '../../../src/features/resources/kinds';
import { publishResource } from '../../../src/features/resources/publishResource';
import { runAct } from '../../../src/features/resources/resourceActs';
import type { ResourceFlow } from '../../../src/features/resources/resourceFlow';
import { Service } from '../../../src/features/resources/service';
import { archiveSession, deleteSession, interruptSession } from '../../../src/features/sessions/endSession';
import { renameSession } from '../../../src/features/sessions/renameSession';
import { sendMessage } from '../../../src/features/sessions/sendMessage';
import type { SessionActionContext } from '../../../src/features/sessions/sessionActionContext';

/** What asks the user something: none of it may be reached. */
const asks = [
  'showQuickPick',
  'createQuickPick',
  'showInputBox',
  'createInputBox',
  'showInformationMessage',
  'showWarningMessage',
] as const;

describe('a change in a workspace that is not trusted', () => {
  const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
  const asking = asks.map(name => [name, Object.getOwnPropertyDescriptor(vscode.window, name)] as const);
  let told: string[];

  const note = (what: string) => () => {
    told.push(what);
    throw new Error(`${what} was reached`);
  };
  const connection = { name: 'Lab', baseUrl: 'https://a.example' };
  const connections = {
    whenKnown: Promise.resolve(),
    current: connection,
    state: 'ready',
    find: note('find'),
    client: note('client'),
  } as unknown as Connections;
  const service = new Service(connections, { running: undefined });
  const presentation = () => ({ translate: (text: string) => text, locale: 'en', now: 0 });
  const load = async () => {};
  const agents = {
    connections,
    service: new AgentService(connections, service),
    drafts: { load, find: () => undefined },
    presentation,
  } as unknown as AgentFlow;
  const agent = { connection: 'Lab', agentId: 'agent_1' };
  const resources = { service, presentation, drafts: { load } } as unknown as ResourceFlow;
  const sessions = {
    connections,
    isTrusted: () => vscode.workspace.isTrusted,
    store: { find: () => undefined },
  } as unknown as SessionActionContext;
  const session = { connection: 'Lab', sessionId: 'sesn_1' };
  const run = () => {
    const part = (index: number) => ({
      ...{
        id: `${index}`,
        connection: 'Lab',
        origin: 'https://a.example',
        source: 'file:///r.jsonl',
        state: 'created',
        batchId: `b${index}`,
      },
      ...{ startedAt: new Date(0).toISOString(), group: { id: 'g', index, count: 2 } },
    });
    const registry = { all: () => [part(0), part(1)], reload: load, findByBatch: () => undefined };
    return { connections, registry } as unknown as RunDependencies;
  };
  const batch = async (act: 'cancel' | 'delete', target?: BatchReference) =>
    await createBatchCommands({ ...run(), refresh: note('refresh') } as unknown as Parameters<typeof createBatchCommands>[0])[
      `managedAgents.batch.${act}`
    ](target);

  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    'reaching a service': () => reach(connections, 'Lab', 'change'),
    'publishing an agent': () => publishAgent(agents, agent),
    'restoring a version of an agent': () => restoreVersion(agents, { ...agent, version: 1 }),
    'archiving an agent': () => archiveAgent(agents, agent),
    'interrupting a session': () => interruptSession(sessions, session),
    'archiving a session': () => archiveSession(sessions, session),
    'deleting a session': () => deleteSession(sessions, session),
    'renaming a session': () => renameSession(sessions, session),
    'sending to a session': () => sendMessage(sessions, new Map(), session),
    'cancelling a batch': () => batch('cancel', { connection: 'Lab', batchId: 'b' }),
    'deleting a batch': () => batch('delete', { connection: 'Lab', batchId: 'b' }),
    'cancelling a batch that is still to be chosen': () => batch('cancel'),
    'deleting a batch that is still to be chosen': () => batch('delete'),
    'cancelling a group of batches': () => cancelGroup(run(), { runId: '0' }),
    'deleting a group of batches': () => deleteGroup(run(), { runId: '0' }),
    'publishing a resource': () => publishResource(resources, { connection: 'Lab', kind: 'environment', id: 'x' }),
    ...Object.fromEntries(
      everyKind.flatMap(({ kind, acts = {} }) =>
        Object.keys(acts).map(act => [`${act} of ${kind}`, () => runAct(resources, act, { connection: 'Lab', kind, id: 'x' })]),
      ),
    ),
  };

  beforeEach(() => {
    told = [];
    Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, get: () => false });
    for (const name of asks) {
      Object.defineProperty(vscode.window, name, { configurable: true, writable: true, value: note(name) });
    }
  });

  afterEach(() => {
    for (const [target, name, before] of [
      [vscode.workspace, 'isTrusted', isTrusted] as const,
      ...asking.map(([name, before]) => [vscode.window, name, before] as const),
    ]) {
      if (before !== undefined) {
        Object.defineProperty(target, name, before);
      }
    }
  });

  for (const [what, change] of Object.entries(changes)) {
    it(`is refused before anything is asked or sent: ${what}`, async () => {
      const refusal = /^Error: Until you trust this workspace, a service is asked only for what you open, fetch or test\.$/;
      await assert.rejects(change, refusal);
      assert.deepEqual(told, []);
    });
  }
});
