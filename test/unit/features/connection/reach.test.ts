import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { BatchReference, RunReference } from '../../../../src/contributions';
import { createBatchCommands } from '../../../../src/features/batches/batchCommands';
import type { BatchDependencies } from '../../../../src/features/batches/batchDependencies';
import { retrieveBatch } from '../../../../src/features/batches/fetching/fetchRun';
import { type Connections, reach } from '../../../../src/features/connection';
import { mayUse, refuseUntrusted } from '../../../../src/features/connection/reach';
import { createAgentKindHandlers } from '../../../../src/features/resources/agents/agentCommands';
import type { AgentsView } from '../../../../src/features/resources/agents/agentsView';
import { restoreVersion } from '../../../../src/features/resources/agents/agentVersions';
import { publishResource } from '../../../../src/features/resources/draftActs';
import { everyKind } from '../../../../src/features/resources/kinds';
import { runAct } from '../../../../src/features/resources/resourceActs';
import type { ResourceFlow } from '../../../../src/features/resources/resourceFlow';
import type { ActName } from '../../../../src/features/resources/resourceKind';
import { Service } from '../../../../src/features/resources/service';
import { renameSession } from '../../../../src/features/sessions/changeSession';
import { endSession } from '../../../../src/features/sessions/endSession';
import type { SessionActionContext } from '../../../../src/features/sessions/sessionActionContext';
import { SessionActions } from '../../../../src/features/sessions/sessionActions';

const refusal = /^Error: Restricted Mode: sending is off until you trust this workspace\.$/;

describe('features/connection/trust of a workspace that is not trusted', () => {
  const { showQuickPick, createQuickPick, showInputBox, createInputBox, showInformationMessage, showWarningMessage } = vscode.window;
  const asks = { showQuickPick, createQuickPick, showInputBox, createInputBox, showInformationMessage, showWarningMessage };
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
  const resources = { service, presentation, drafts: { load } } as unknown as ResourceFlow;
  const agents = createAgentKindHandlers({ flow: resources } as unknown as AgentsView);
  const agent = { connection: 'Lab', agentId: 'agent_1' };
  const sessions = {
    connections,
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
    return { connections, registry } as unknown as BatchDependencies;
  };
  const batches = () => createBatchCommands({ ...run(), refresh: note('refresh') } as unknown as Parameters<typeof createBatchCommands>[0]);
  const batch = async (act: 'cancel' | 'delete', target?: BatchReference | RunReference) =>
    await batches()[act === 'cancel' ? 'managedAgents.batch.cancel' : 'delete'](target);

  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    'reaching a service': () => reach(connections, 'Lab', 'change'),
    'publishing an agent': () => agents.publish(agent),
    'restoring a version of an agent': () => restoreVersion(resources, { ...agent, version: 1 }),
    'archiving an agent': () => agents.archive(agent),
    'interrupting a session': () => endSession(sessions, session, 'interrupt'),
    'archiving a session': () => endSession(sessions, session, 'archive'),
    'deleting a session': () => endSession(sessions, session, 'delete'),
    'renaming a session': () => renameSession(sessions, session),
    'sending to a session': async () => new SessionActions(sessions).commands()['managedAgents.session.send'](session),
    'refreshing the batches': async () => await batches().refresh(),
    'cancelling a batch': () => batch('cancel', { connection: 'Lab', batchId: 'b' }),
    'deleting a batch': () => batch('delete', { connection: 'Lab', batchId: 'b' }),
    'cancelling a batch that is still to be chosen': () => batch('cancel'),
    'deleting a batch that is still to be chosen': () => batch('delete'),
    'cancelling a group of batches': () => batch('cancel', { runId: '0' }),
    'deleting a group of batches': () => batch('delete', { runId: '0' }),
    'publishing a resource': () => publishResource(resources, { connection: 'Lab', kind: 'environment', id: 'x' }),
    ...Object.fromEntries(
      everyKind.flatMap(({ kind, acts = {} }) =>
        (Object.keys(acts) as ActName[]).map(act => [
          `${act} of ${kind}`,
          () => runAct(resources, act, { connection: 'Lab', kind, id: 'x' }),
        ]),
      ),
    ),
  };

  beforeEach(() => {
    told = [];
    Object.assign(vscode.workspace, { isTrusted: false });
    Object.assign(vscode.window, Object.fromEntries(Object.keys(asks).map(name => [name, note(name)])));
  });

  afterEach(() => {
    Object.assign(vscode.workspace, { isTrusted: true });
    Object.assign(vscode.window, asks);
  });

  it("allows reading at the user's request, and sends nothing else", () => {
    const uses = ['look', 'read', 'change'] as const;
    assert.deepEqual(
      uses.map(use => mayUse(use)),
      [false, true, false],
    );
    Object.assign(vscode.workspace, { isTrusted: true });
    assert.ok(uses.every(use => mayUse(use)));
    Object.assign(vscode.workspace, { isTrusted: false });
    assert.throws(() => refuseUntrusted('change'), refusal);
    refuseUntrusted('read');
  });

  it("fetches results at the user's request, but not automatically", async () => {
    const uses: string[] = [];
    const client = async (_: unknown, use: string) => {
      uses.push(use);
      return { batches: { retrieve: async () => ({ data: { id: 'b', processing_status: 'ended' } }) } };
    };
    const deps = { ...run(), connections: { ...connections, find: () => connection, client } } as unknown as BatchDependencies;
    const reference = { connection: 'Lab', batchId: 'b' };
    await assert.rejects(retrieveBatch(deps, reference, 'look'), refusal);
    assert.deepEqual(uses, []);
    await retrieveBatch(deps, reference);
    assert.deepEqual(uses, ['read']);
  });

  for (const [what, change] of Object.entries(changes)) {
    it(`rejects a change before it asks or sends anything: ${what}`, async () => {
      await assert.rejects(change, refusal);
      assert.deepEqual(told, []);
    });
  }
});
