import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { emulatorFolder } from '../../../../src/features/emulator';

describe('features/emulator/emulatorFolder', () => {
  let root: string;
  const folderOf = (id: string) => path.relative(root, emulatorFolder(path.join(root, id, 'us'))).replaceAll(path.sep, '/');

  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'emulator-folder-'));
    for (const id of ['5f3a', '-62054']) {
      mkdirSync(path.join(root, id));
    }
  });

  afterEach(() => rmSync(root, { recursive: true }));

  it('is shared by all windows of a workspace', () => {
    assert.equal(folderOf('5f3a'), '5f3a/us/emulator');
    assert.equal(folderOf('5f3a-1'), '5f3a/us/emulator');
    assert.equal(folderOf('-62054-9'), '-62054/us/emulator');
  });

  it("is separate for a folder whose name only ends like another window's", () => {
    assert.equal(folderOf('-62054'), '-62054/us/emulator');
    assert.equal(folderOf('-7'), '-7/us/emulator');
    assert.equal(folderOf('77aa-1'), '77aa-1/us/emulator', 'there is no first one');
  });
});
