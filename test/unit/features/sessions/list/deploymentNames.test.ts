import assert from 'node:assert/strict';
import { DeploymentNames } from '../../../../../src/features/sessions/list/sessionsTreeDataProvider';

describe('features/sessions/list/deploymentNames', () => {
  it('shows the ID until the name was read, once', async () => {
    const asked: string[] = [];
    let onRead: () => void = () => undefined;
    const read = new Promise<void>(resolve => {
      onRead = resolve;
    });
    const nameOf = async (connection: string, id: string) => {
      asked.push(`${connection} ${id}`);
      return id === 'depl_bad' ? Promise.reject(new Error('gone')) : `Name of ${id}`;
    };
    const names = new DeploymentNames(nameOf, onRead);
    const good = { connection: 'A', deployment: 'depl_good' };
    assert.equal(names.nameOf(good), 'depl_good');
    await read;
    assert.equal(names.nameOf(good), 'Name of depl_good');
    const bad = { connection: 'A', deployment: 'depl_bad' };
    names.nameOf(bad);
    await Promise.resolve();
    assert.equal(names.nameOf(bad), 'depl_bad');
    assert.deepEqual(asked, ['A depl_good', 'A depl_bad']);
  });
});
