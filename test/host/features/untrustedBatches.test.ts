import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createBatchCommands } from '../../../src/features/batches/batchCommands';
import { retrieveBatch } from '../../../src/features/batches/fetching/fetchSubmission';
import { cancelGroup, deleteGroup } from '../../../src/features/batches/groups/groupCommands';
import type { RunDependencies } from '../../../src/features/batches/runCommands';
import { mayUse, refuseUntrusted } from '../../../src/features/connection/trust';
import type { Submission } from '../../../src/features/ledger/submission';

const refusal = /^Error: Until you trust this workspace, a service is asked only for what you open, fetch or test\.$/;
const reference = { connection: 'Lab', batchId: 'b' };

describe('batches in a workspace that is not trusted', () => {
  const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
  let asked: string[];
  const connections = {
    whenKnown: Promise.resolve(),
    current: { name: 'Lab', baseUrl: 'https://a.example' },
    find: () => connections.current,
    client: async (_: unknown, use: string) => {
      asked.push(use);
      return { batches: { retrieve: async () => ({ data: { id: 'b', processing_status: 'ended' } }) } };
    },
  };
  const deps = () => {
    const part = (index: number): Submission => ({
      ...{ id: `${index}`, connection: 'Lab', origin: 'https://a.example', source: 'file:///r.jsonl', fileBytes: 1, sha256: 'x' },
      ...{ requestCount: 1, bodyBytes: 1, state: 'created', startedAt: new Date().toISOString(), batchId: `b${index}` },
      group: { id: 'g', index, count: 2 },
    });
    const registry = { all: () => [part(0), part(1)], reload: async () => {}, findByBatch: () => undefined };
    return { connections, registry } as unknown as RunDependencies;
  };

  beforeEach(() => {
    asked = [];
    Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, get: () => false });
  });

  afterEach(() => {
    if (isTrusted !== undefined) {
      Object.defineProperty(vscode.workspace, 'isTrusted', isTrusted);
    }
  });

  it('may be read when the user asks, and nothing else leaves', () => {
    const uses = ['look', 'read', 'change'] as const;
    assert.deepEqual(
      uses.map(use => [mayUse(use), mayUse(use, true)]),
      [
        [false, true],
        [true, true],
        [false, true],
      ],
    );
    assert.throws(() => refuseUntrusted('change'), refusal);
    refuseUntrusted('read');
  });

  it('are not refreshed, cancelled or deleted by a command, which says why', async () => {
    const acts = createBatchCommands({ ...deps(), refresh: async () => void asked.push('refresh') } as unknown as Parameters<
      typeof createBatchCommands
    >[0]);
    for (const name of ['managedAgents.batch.cancel', 'managedAgents.batch.delete'] as const) {
      await assert.rejects(async () => acts[name](reference), refusal, name);
    }
    await assert.rejects(async () => acts['managedAgents.batches.refresh'](), refusal);
    assert.deepEqual(asked, []);
  });

  it('are not cancelled or deleted as a group, which says why', async () => {
    await assert.rejects(cancelGroup(deps(), { runId: '0' }), refusal);
    await assert.rejects(deleteGroup(deps(), { runId: '0' }), refusal);
    assert.deepEqual(asked, []);
  });

  it('have their results fetched when the user asks, and not by themselves', async () => {
    await assert.rejects(retrieveBatch(deps(), reference, 'look'), refusal);
    assert.deepEqual(asked, []);
    await retrieveBatch(deps(), reference);
    assert.deepEqual(asked, ['read']);
  });
});
