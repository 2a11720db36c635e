import assert from 'node:assert/strict';
import type { MemoryVersion } from '../../../../../src/client/resources/memoryStores';
import { presentVersion } from '../../../../../src/features/resources/memories/versionPresentation';
import { context } from '../presenting';

const version = (more: object): MemoryVersion => ({
  id: 'memver_1',
  type: 'memory_version',
  operation: 'modified',
  path: '/a.md',
  content_size_bytes: 1200,
  created_by: { type: 'api_actor', api_key_id: 'apikey_1' },
  created_at: '2026-06-01T11:00:00Z',
  ...more,
});

describe('features/resources/memories/versionPresentation', () => {
  const row = (more: object, withPath = false) => presentVersion(version(more), 'memver_2', withPath, context);

  it('shows the change, its time and its author', () => {
    assert.deepEqual(row({}), { icon: 'edit', label: 'Changed', description: '1 hr. ago · 1.2 KB', detail: 'by API key apikey_1 · /a.md' });
    assert.equal(row({ id: 'memver_2' }).description, 'current · 1 hr. ago · 1.2 KB');
    assert.equal(row({ operation: 'deleted' }, true).label, '/a.md: Deleted');
    assert.equal(row({ created_by: { type: 'session_actor', session_id: 'sesn_1' } }).detail, 'by session sesn_1 · /a.md');
    assert.equal(row({ created_by: { type: 'later_actor' } }).detail, 'by later_actor · /a.md');
    assert.equal(row({ created_by: null, operation: '\u202eodd' }).label, '\\u{202e}odd');
  });

  it('shows who redacted a version', () => {
    const redacted = {
      path: null,
      content_size_bytes: null,
      redacted_at: '2026-06-01T11:30:00Z',
      redacted_by: { type: 'user_actor', user_id: 'u' },
    };
    assert.deepEqual(row(redacted), {
      icon: 'eye-closed',
      label: 'Changed',
      description: '1 hr. ago',
      detail: 'by API key apikey_1 · redacted 30 min. ago by user u',
    });
  });
});
