import assert from 'node:assert/strict';
import { countPlan, describeDone, doPlan, toRows } from '../../../../../../src/features/resources/memories/folders/storePlan';
import { failure } from '../../../sessions/panel/sessionUnderTest';
import { context } from '../../presenting';

const lines = [
  { act: 'same', path: '/s' },
  { act: 'create', path: '/n\u202e' },
  { act: 'refused', path: '/r', why: 'no text' },
  { act: 'create', path: '/m' },
] as const;

describe('features/resources/memories/folders/storePlan', () => {
  it('lists every line, grouped by act', () => {
    assert.deepEqual(
      toRows(lines, context.translate, 'en').map(({ label, description }) => [label, description ?? '']),
      [
        ['New (2)', ''],
        ['/n\\u{202e}', ''],
        ['/m', ''],
        ['Left out (1)', ''],
        ['/r', 'no text'],
        ['Unchanged (1)', ''],
        ['/s', ''],
      ],
    );
    assert.equal(countPlan(lines, context.translate, 'en'), '2 new, 1 left out, 1 unchanged');
    const extra = [{ act: 'only', path: '/extra' }] as const;
    assert.equal(countPlan(extra, context.translate, 'en'), '1 not in the folder');
    assert.equal(countPlan([...lines, ...extra], context.translate, 'en'), '2 new, 1 not in the folder, 1 left out, 1 unchanged');
  });

  it('reports the result with the first failures', () => {
    assert.equal(
      describeDone('Copied 2 memories to /a.', { done: 2, left: 0, failures: [] }, context.translate),
      'Copied 2 memories to /a.',
    );
    assert.equal(
      describeDone('Copied 1.', { done: 1, left: 5, failures: ['a: x.', 'b: x.', 'c: x.', 'd: x.', 'e: x.'] }, context.translate),
      'Copied 1. Not processed: 5. a: x. b: x. c: x. 2 more failed.',
    );
  });
});

describe('features/resources/memories/folders/storePlan doPlan', () => {
  const some = ['/x', '/y', '/z'].map(path => ({ path }));

  it('reports which lines failed and why, and processes the others', async () => {
    const result = await doPlan('Writing', some, async ({ path }) => {
      if (path !== '/x') {
        throw path === '/y' ? failure('conflict', 'refused', 409) : new Error('too large');
      }
    });
    assert.deepEqual(result, { done: 1, left: 2, failures: ['/y: changed in the meantime', '/z: too large'] });
  });

  it('stops when it is canceled', async () => {
    const lifetime = new AbortController();
    const result = await doPlan('Writing', some, async () => lifetime.abort(), lifetime.signal);
    assert.deepEqual(result, { done: 1, left: 2, failures: [] });
  });
});
