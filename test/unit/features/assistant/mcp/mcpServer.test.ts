import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSocketLocation } from '../../../../../src/features/assistant/mcp/mcpServer';

describe('features/assistant/mcp/socketLocation', () => {
  let temporary: string;

  beforeEach(() => {
    temporary = mkdtempSync(path.join(tmpdir(), 'places-'));
  });

  afterEach(() => rmSync(temporary, { recursive: true, force: true }));

  it('creates one folder per socket, and removes it with its content', () => {
    const [one, two] = [createSocketLocation('linux', temporary), createSocketLocation('darwin', temporary)];
    const folders = [one, two].map(place => path.dirname(place.path));
    assert.deepEqual(
      folders.map(folder => path.dirname(folder)),
      [temporary, temporary],
    );
    assert.notEqual(folders[0], folders[1]);
    writeFileSync(one.path, '');
    one.remove();
    one.remove();
    assert.deepEqual(folders.map(existsSync), [false, true]);
  });

  it("respects every system's path limit, however deep the temporary folder is", () => {
    const place = createSocketLocation('linux', path.join(temporary, 'deep'.repeat(30)));
    try {
      assert.ok(Buffer.byteLength(place.path) <= 103, place.path);
      assert.equal(path.dirname(path.dirname(place.path)), '/tmp');
    } finally {
      place.remove();
    }
  });

  it('uses a pipe on Windows, which needs no cleanup', () => {
    const [one, two] = [createSocketLocation('win32', temporary), createSocketLocation('win32', temporary)];
    assert.match(one.path, /^\\\\\.\\pipe\\managed-agents-[\w-]{12}$/);
    assert.notEqual(one.path, two.path);
    one.remove();
  });
});
