import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Connections } from '../../../../src/features/connection/connection';
import { publishResource } from '../../../../src/features/resources/draftActs';
import type { ResourceStore } from '../../../../src/features/resources/lists/resourceList';
import { writeFolder } from '../../../../src/features/resources/memories/folders/syncFolder';
import { MemoryFiles } from '../../../../src/features/resources/memories/memoryFiles';
import { toMemoryUri } from '../../../../src/features/resources/memories/memoryLocation';
import { newMemory, renameMemory } from '../../../../src/features/resources/memories/openMemory';
import type { ResourceFlow } from '../../../../src/features/resources/resourceFlow';
import { Service } from '../../../../src/features/resources/service';
import { uploadFiles } from '../../../../src/features/resources/serviceFiles/uploadFiles';
import { type SkillParts, uploadNewSkill, uploadNewVersion } from '../../../../src/features/resources/skills/uploadSkill';

describe('features/resources/service in a workspace that is not trusted', () => {
  let asked = 0;
  const connections = {
    whenKnown: Promise.resolve(),
    find: () => {
      asked++;
      return undefined;
    },
  } as unknown as Connections;
  const service = new Service(connections, { running: undefined });
  // Other members are missing, so using them fails the test.
  const flow = {
    service,
    presentation: () => ({ translate: (text: string) => text, locale: 'en', now: 0 }),
  } as unknown as ResourceFlow;
  const refused = /^Error: Restricted Mode: sending is off until you trust this workspace\.$/;

  beforeEach(() => {
    asked = 0;
    Object.assign(vscode.workspace, { isTrusted: false });
  });

  afterEach(() => {
    Object.assign(vscode.workspace, { isTrusted: true });
  });

  it('refuse to publish, upload or poll', async () => {
    const state = { get: () => undefined, update: async () => undefined, keys: () => [] };
    await assert.rejects(() => publishResource(flow, { connection: 'Lab', kind: 'environment', id: 'env_1' }), refused);
    await assert.rejects(() => uploadFiles(flow, state, []), refused);
    // Restricted Mode refuses before the missing folder or skill is used.
    const parts = { flow } as unknown as SkillParts;
    await assert.rejects(() => uploadNewSkill(parts, undefined), refused);
    await assert.rejects(() => uploadNewVersion(parts, undefined), refused);
    await assert.rejects(() => service.reach('Lab', 'look'), refused);
    assert.equal(asked, 0);
  });

  it('provide no memories as files that are read automatically, created, written, moved or deleted', async () => {
    const none = { dispose: () => undefined };
    const store = { onDidChange: () => none } as unknown as ResourceStore;
    const files = new MemoryFiles({ service, store, onRefused: async () => undefined });
    const [from, to] = ['/a.md', '/b.md'].map(at => toMemoryUri({ connection: 'Lab', storeId: 'memstore_1', path: at }));
    assert.ok(from !== undefined && to !== undefined);
    const saysWhy = /until you trust this workspace/;
    try {
      await assert.rejects(() => files.stat(from), saysWhy);
      await assert.rejects(() => files.readFile(from), saysWhy);
      await assert.rejects(() => files.readDirectory(from), saysWhy);
      await assert.rejects(
        () => files.asked.during(from, () => files.writeFile(from, new Uint8Array(), { create: true, overwrite: true })),
        saysWhy,
      );
      await assert.rejects(() => files.rename(from, to, { overwrite: false }), saysWhy);
      await assert.rejects(() => files.delete(from), saysWhy);
      await assert.rejects(() => newMemory(flow, undefined), refused);
      await assert.rejects(() => renameMemory(flow, undefined), refused);
      await assert.rejects(() => writeFolder(flow, { connection: 'Lab', storeId: 'memstore_1', folder: '/', label: 'Notes' }), refused);
      assert.equal(asked, 0);
    } finally {
      files.dispose();
    }
  });

  it('allows requests that the user asked for', async () => {
    await assert.rejects(() => service.reach('Lab', 'read'), /The connection Lab no longer exists/);
    assert.equal(asked, 1);
  });
});
