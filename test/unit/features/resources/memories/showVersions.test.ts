import assert from 'node:assert/strict';
import { actsOf } from '../../../../../src/features/resources/memories/showVersions';

type Chosen = Parameters<typeof actsOf>[0];

describe('features/resources/memories/showVersions', () => {
  const labels = (more: object, current?: string) => {
    const version = { id: 'memver_1', type: 'memory_version', operation: 'modified', path: '/a.md', ...more };
    const memory = current === undefined ? undefined : { id: 'mem_1', type: 'memory', memory_version_id: current };
    return actsOf({ version, memory } as unknown as Chosen).map(({ label }) => label.replace(/^\$\([\w-]+\) /, ''));
  };

  it('offers actions that fit a version', () => {
    const bySession = { created_by: { type: 'session_actor', session_id: 's' } };
    const other = 'Compare with Another Version...';
    assert.deepEqual(labels(bySession, 'memver_2'), ['Open', 'Compare with Now', other, 'Open Session', 'Restore...', 'Redact...']);
    assert.deepEqual(labels({}, 'memver_1'), ['Open', other]);
    assert.deepEqual(labels({}), ['Open', other, 'Restore...', 'Redact...']);
    assert.deepEqual(labels({ operation: 'deleted' }), ['Redact...']);
    assert.deepEqual(labels({ redacted_at: '2026-06-01T11:30:00Z' }, 'memver_2'), []);
  });
});
