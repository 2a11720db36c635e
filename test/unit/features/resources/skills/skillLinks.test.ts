import assert from 'node:assert/strict';
import { SkillLinks } from '../../../../../src/features/resources/skills/skillLinks';

describe('features/resources/skills/skillLinks', () => {
  const memory = (stored?: unknown) => {
    let value = stored;
    return {
      get: () => value as never,
      update: async (_: string, next: unknown) => {
        value = next;
      },
    };
  };
  const link = (connection: string, folder: string, skillId: string) => ({ connection, folder, skillId });

  it('remembers which skill a folder belongs to, for each connection', async () => {
    const state = memory();
    const links = new SkillLinks(state);
    let changes = 0;
    links.onDidChange(() => changes++);
    await links.set(link('Lab', 'file:///a', 'skill_1'));
    await links.set(link('Team', 'file:///a', 'skill_2'));
    await links.set(link('Lab', 'file:///a', 'skill_3'));
    const again = new SkillLinks(state);
    assert.deepEqual([again.find('Lab', 'file:///a'), again.find('Team', 'file:///a')], ['skill_3', 'skill_2']);
    assert.equal(again.find('Lab', 'file:///b'), undefined);
    assert.equal(changes, 3);
  });

  it('forgets a skill that is gone, on its connection only', async () => {
    const links = new SkillLinks(memory());
    await links.set(link('Lab', 'file:///a', 'skill_1'));
    await links.set(link('Lab', 'file:///b', 'skill_1'));
    await links.set(link('Team', 'file:///a', 'skill_1'));
    await links.forget('Lab', 'skill_1');
    assert.deepEqual(
      [links.find('Lab', 'file:///a'), links.find('Lab', 'file:///b'), links.find('Team', 'file:///a')],
      [undefined, undefined, 'skill_1'],
    );
  });

  it('keeps the newest of many, and leaves out what is no link', async () => {
    const links = new SkillLinks(memory([null, 7, { connection: 'Lab' }, link('Lab', 'file:///old', 's')]));
    assert.equal(links.find('Lab', 'file:///old'), 's');
    for (let index = 0; index < 500; index++) {
      await links.set(link('Lab', `file:///${index}`, 's'));
    }
    assert.deepEqual([links.find('Lab', 'file:///old'), links.find('Lab', 'file:///0')], [undefined, 's']);
    assert.equal(new SkillLinks(memory('text')).find('Lab', 'x'), undefined);
  });
});
