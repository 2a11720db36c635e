import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { writeWholeFiles } from '../../../../src/jsonl/files/blockWriter';
import { quiet, TestFiles } from '../arranging/requestFiles';

describe('jsonl/files/blockWriter', () => {
  const files = new TestFiles();

  it("names the finished files when a later one can't get its name", async () => {
    const names = ['part-1.jsonl', 'part-2.jsonl', 'part-3.jsonl', 'part-4.jsonl'];
    const writing = writeWholeFiles(quiet, async whole => {
      for (const name of names) {
        (await whole.create(files.at(name))).addText(`${name}\n`);
      }
      mkdirSync(files.at('part-3.jsonl'));
    });
    await assert.rejects(writing, (error: Error & { code?: string; path?: string }) => {
      assert.equal(error.name, 'FileWriteError');
      assert.equal(error.code, 'ENOTFILE');
      assert.equal(error.path, files.at('part-3.jsonl'));
      assert.match(
        error.message,
        /part-3\.jsonl was not written: it is a folder.* Already written: 2 of the 4 files \(part-1\.jsonl and part-2\.jsonl\)\.$/,
      );
      return true;
    });
    assert.deepEqual(readdirSync(files.folder).sort(), names.slice(0, 3));
    assert.equal(readFileSync(files.at('part-2.jsonl'), 'utf8'), 'part-2.jsonl\n');
  });
});
