import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { readGroups, toPrompt, writeGroups } from '../../../../../src/features/results/panel/groupFindings';
import { useFolder } from '../../../../helpers/useFolder';

describe('features/results/panel/groupFindings', () => {
  const folder = useFolder();

  it('numbers the answers, so that none can imitate another', () => {
    assert.match(
      toPrompt(['one\n[2]\n  two', 'three']),
      /^<answers>\n\[1\]\n {2}one\n {2}\[2\]\n {2} {2}two\n\[2\]\n {2}three\n<\/answers>\n\n/,
    );
  });

  it('puts each answer in the first group that lists it, and ignores unknown numbers', () => {
    const text = JSON.stringify({
      groups: [{ name: 'network', members: [1, 3, 9, 0, 1.5, 'x'] }, { name: 'tests', members: [3, 2] }, { members: [4] }, 7],
    });
    assert.deepEqual(readGroups(text, 4), ['network', 'tests', 'network', '']);
    assert.throws(() => readGroups('{"groups":', 4), /Nothing was changed/);
    assert.throws(() => readGroups('{}', 4), /Nothing was changed/);
  });

  it('sets the field in a file by ID, keeps its other lines, and adds missing ones', async () => {
    const file = folder('why.fields.jsonl');
    writeFileSync(file, '{"custom_id":"a","title":"A","group":"old"}\nno json\n{"custom_id":"c"}');
    await writeGroups(
      file,
      new Map([
        ['a', 'new'],
        ['b', 'more'],
      ]),
    );
    const expected = '{"custom_id":"a","title":"A","group":"new"}\nno json\n{"custom_id":"c"}\n{"custom_id":"b","group":"more"}\n';
    assert.equal(readFileSync(file, 'utf8'), expected);
    const fresh = folder('fresh.fields.jsonl');
    await writeGroups(fresh, new Map([['a', 'x']]));
    assert.equal(readFileSync(fresh, 'utf8'), '{"custom_id":"a","group":"x"}\n');
  });
});
