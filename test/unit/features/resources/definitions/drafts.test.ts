import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Draft, Drafts, draftIdOf } from '../../../../../src/features/resources/definitions/drafts';

describe('features/resources/definitions/drafts', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'drafts-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const id = draftIdOf({ connection: 'Emulator', kind: 'environment', id: 'env_1' });
  const draft: Draft = {
    id,
    connection: 'Emulator',
    kind: 'environment',
    resourceId: 'env_1',
    name: 'Researcher',
    base: { version: 3, text: '{}\n' },
    text: '{"name":"\u2028"}\n',
    savedAt: 5,
  };

  it('keeps a draft across a restart, readable by the user only', async () => {
    await new Drafts(path.join(folder, 'deep')).save(draft);
    const later = new Drafts(path.join(folder, 'deep'));
    await later.load();
    assert.deepEqual(later.find(id), draft);
    assert.deepEqual(later.of('Emulator'), [draft]);
    assert.deepEqual(later.of('Other'), []);
    const [name = ''] = await readdir(path.join(folder, 'deep'));
    assert.equal((await stat(path.join(folder, 'deep', name))).mode & 0o777, 0o600);
  });

  it('replaces the draft of the same agent and fires', async () => {
    const drafts = new Drafts(folder);
    const told: string[] = [];
    drafts.onDidChange(changed => told.push(changed.text));
    await Promise.all([drafts.save(draft), drafts.save({ ...draft, text: 'second' })]);
    assert.equal(drafts.find(id)?.text, 'second');
    assert.deepEqual(told, [draft.text, 'second']);
    assert.deepEqual(await readdir(folder), [`${id}.json`]);
  });

  it('deletes a draft permanently', async () => {
    const drafts = new Drafts(folder);
    await drafts.save(draft);
    await drafts.remove(id);
    await drafts.remove('never there');
    assert.equal(drafts.find(id), undefined);
    assert.deepEqual(await readdir(folder), []);
  });

  it('ignores unreadable files', async () => {
    await writeFile(path.join(folder, 'torn.json'), '{"id":"to');
    await writeFile(path.join(folder, 'other.json'), JSON.stringify({ ...draft, id: 'elsewhere' }));
    const drafts = new Drafts(folder);
    await drafts.load();
    assert.deepEqual(drafts.of('Emulator'), []);
    assert.equal((await readdir(folder)).length, 2);
  });

  it('reads drafts of agents, which name no kind, from their old folder', async () => {
    const old = { id: 'a', connection: 'Lab', agentId: 'agent_1', name: 'Researcher', text: '{}', savedAt: 5 };
    await writeFile(path.join(folder, 'a.json'), JSON.stringify(old));
    await writeFile(path.join(folder, 'b.json'), JSON.stringify({ ...old, id: 'b', agentId: undefined }));
    const drafts = new Drafts(folder);
    await drafts.load();
    const { agentId: resourceId, ...rest } = old;
    assert.deepEqual(drafts.of('Lab'), [
      { ...rest, kind: 'agent', resourceId },
      { ...rest, id: 'b', kind: 'agent' },
    ]);
    // The ID by which the last release saved the draft of an agent.
    const id = createHash('sha256').update('Lab\nagent_1').digest('hex').slice(0, 32);
    assert.equal(draftIdOf({ connection: 'Lab', kind: 'agent', id: 'agent_1' }), id);
  });

  it('distinguishes kinds, connections and IDs', () => {
    const ids = [
      { connection: 'A', kind: 'agent', id: '1' },
      { connection: 'A', kind: 'k', id: '1' },
      { connection: 'B', kind: 'k', id: '1' },
      { connection: 'A', kind: 'l', id: '1' },
      { connection: 'A', kind: 'k', id: '2' },
    ].map(draftIdOf);
    assert.equal(new Set(ids).size, 5);
  });
});
