import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { draftIdOfReference, type ResourceDraft, ResourceDrafts } from '../../../../../src/features/resources/definitions/resourceDrafts';

describe('features/resources/definitions/resourceDrafts', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'resource-drafts-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('keeps what a draft is of, over a restart, and leaves alone what is none', async () => {
    const id = draftIdOfReference({ connection: 'Lab', kind: 'environment', id: 'env_1' });
    const draft: ResourceDraft = {
      id,
      connection: 'Lab',
      kind: 'environment',
      resourceId: 'env_1',
      name: 'Build',
      base: { text: '{}' },
      text: '{"name":"Build"}',
      savedAt: 5,
    };
    await new ResourceDrafts(folder).save(draft);
    await writeFile(path.join(folder, 'other.json'), '{"id":"other","connection":"Lab","name":"x","text":"y"}');
    await writeFile(path.join(folder, 'broken.json'), '{');
    const drafts = new ResourceDrafts(folder);
    await drafts.load();
    assert.deepEqual(drafts.of('Lab'), [draft]);
    await drafts.remove(id);
    assert.deepEqual(drafts.of('Lab'), []);
  });

  it('tells apart kinds, connections and ids', () => {
    const ids = [
      { connection: 'A', kind: 'k', id: '1' },
      { connection: 'B', kind: 'k', id: '1' },
      { connection: 'A', kind: 'l', id: '1' },
      { connection: 'A', kind: 'k', id: '2' },
    ].map(draftIdOfReference);
    assert.equal(new Set(ids).size, 4);
  });
});
