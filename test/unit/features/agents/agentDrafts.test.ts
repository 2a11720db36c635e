import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type AgentDraft, AgentDrafts, draftIdOf } from '../../../../src/features/agents/agentDrafts';

describe('features/agents/agentDrafts', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'drafts-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const id = draftIdOf('Emulator', 'agent_1');
  const draft: AgentDraft = {
    id,
    connection: 'Emulator',
    agentId: 'agent_1',
    name: 'Researcher',
    base: { version: 3, text: '{}\n' },
    text: '{"name":"\u2028"}\n',
    savedAt: 5,
  };

  it('keeps a draft over a restart, for nobody else to read', async () => {
    await new AgentDrafts(path.join(folder, 'deep')).save(draft);
    const later = new AgentDrafts(path.join(folder, 'deep'));
    await later.load();
    assert.deepEqual(later.find(id), draft);
    assert.deepEqual(later.of('Emulator'), [draft]);
    assert.deepEqual(later.of('Other'), []);
    const [name = ''] = await readdir(path.join(folder, 'deep'));
    assert.equal((await stat(path.join(folder, 'deep', name))).mode & 0o777, 0o600);
  });

  it('replaces the draft of the same agent and tells of it', async () => {
    const drafts = new AgentDrafts(folder);
    const told: string[] = [];
    drafts.onDidChange(changed => told.push(changed.text));
    await Promise.all([drafts.save(draft), drafts.save({ ...draft, text: 'second' })]);
    assert.equal(drafts.find(id)?.text, 'second');
    assert.deepEqual(told, [draft.text, 'second']);
    assert.deepEqual(await readdir(folder), [`${id}.json`]);
  });

  it('forgets a removed draft for good', async () => {
    const drafts = new AgentDrafts(folder);
    await drafts.save(draft);
    await drafts.remove(id);
    await drafts.remove('never there');
    assert.equal(drafts.find(id), undefined);
    assert.deepEqual(await readdir(folder), []);
  });

  it('leaves alone what it cannot read', async () => {
    await writeFile(path.join(folder, 'torn.json'), '{"id":"to');
    await writeFile(path.join(folder, 'other.json'), JSON.stringify({ ...draft, id: 'elsewhere' }));
    const drafts = new AgentDrafts(folder);
    await drafts.load();
    assert.deepEqual(drafts.of('Emulator'), []);
    assert.equal((await readdir(folder)).length, 2);
  });

  it('tells apart agents of one id on two connections', () => {
    assert.notEqual(draftIdOf('A', 'agent_1'), draftIdOf('B', 'agent_1'));
    assert.notEqual(draftIdOf('A', 'agent_1'), draftIdOf('A', 'agent_2'));
  });
});
