import assert from 'node:assert/strict';
import { ServedGroups } from '../../../../src/features/connection/servedGroups';

const lab = { name: 'Lab', baseUrl: 'https://agents.example.com' };

describe('features/connection/servedGroups', () => {
  it('returns the latest listing of each connection, however its address is spelled', () => {
    const served = new ServedGroups();
    assert.equal(served.has(lab, 'batches'), undefined);
    served.note(lab, 'batches', false);
    assert.equal(served.has({ ...lab, baseUrl: 'https://agents.example.com/' }, 'batches'), false);
    assert.equal(served.has(lab, 'agents'), undefined);
    assert.equal(served.has({ ...lab, name: 'Other' }, 'batches'), undefined);
    assert.equal(served.has({ ...lab, baseUrl: 'https://other.example.com' }, 'batches'), undefined);
    served.note(lab, 'batches', true);
    assert.equal(served.has(lab, 'batches'), true);
  });

  it('forgets after a day that a service lacks a group, but not that it has one', () => {
    let now = 0;
    const served = new ServedGroups({ monotonic: () => now });
    served.note(lab, 'batches', false);
    served.note(lab, 'agents', true);
    now = 24 * 60 * 60 * 1000 - 1;
    assert.equal(served.has(lab, 'batches'), false);
    now++;
    assert.deepEqual([served.has(lab, 'batches'), served.has(lab, 'agents')], [undefined, true]);
  });

  it('fires for changes, and forgets everything when keys may have changed', () => {
    const served = new ServedGroups();
    let changes = 0;
    served.onDidChange(() => changes++);
    served.note(lab, 'batches', true);
    assert.equal(changes, 0);
    served.note(lab, 'batches', false);
    served.note(lab, 'batches', false);
    assert.equal(changes, 1);
    served.clear();
    assert.deepEqual([changes, served.has(lab, 'batches')], [2, undefined]);
  });
});
