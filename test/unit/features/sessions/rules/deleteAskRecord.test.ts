import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deleteAskRecord } from '../../../../../src/features/sessions/rules/deleteAskRecord';
import { inFolder } from './ruleFixtures';

describe('features/sessions/rules/deleteAskRecord', () => {
  it('deletes the record of earlier versions and its temporary files, and keeps rules and audit file', () =>
    inFolder(async storage => {
      await deleteAskRecord(storage);
      const folder = path.join(storage, 'approvalRules');
      await mkdir(path.join(folder, 'rules'), { recursive: true });
      for (const name of ['asks.jsonl', '0b.tmp', 'audit.jsonl', 'rules/a.rule.json']) {
        await writeFile(path.join(folder, name), 'Authorization: Bearer secret');
      }
      await deleteAskRecord(storage);
      assert.deepEqual((await readdir(folder)).sort(), ['audit.jsonl', 'rules']);
      assert.deepEqual(await readdir(path.join(folder, 'rules')), ['a.rule.json']);
    }));
});
