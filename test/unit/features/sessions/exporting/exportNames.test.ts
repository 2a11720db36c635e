import assert from 'node:assert/strict';
import { exportName } from '../../../../../src/features/sessions/exporting/exportFile';

describe('features/sessions/exporting/exportNames', () => {
  it('keeps a title readable', () => {
    assert.equal(exportName('Fix the build (again)', 'sesn_1', 'jsonl'), 'Fix the build (again).session.jsonl');
    assert.equal(exportName('Größe prüfen 日本語', 'sesn_1', 'markdown'), 'Größe prüfen 日本語.session.md');
  });

  it('uses the ID without a title, and a default word if neither helps', () => {
    assert.equal(exportName('', 'sesn_1', 'jsonl'), 'sesn_1.session.jsonl');
    assert.equal(exportName(' ../.. ', '..', 'jsonl'), 'session.session.jsonl');
  });

  it('never leads to another folder, a hidden file, or a device name', () => {
    assert.equal(exportName('../../etc/passwd', 's', 'jsonl'), 'etc-passwd.session.jsonl');
    assert.equal(exportName('..\\..\\x', 's', 'jsonl'), 'x.session.jsonl');
    assert.equal(exportName('.bashrc', 's', 'jsonl'), 'bashrc.session.jsonl');
    assert.equal(exportName('C:evil', 's', 'jsonl'), 'C-evil.session.jsonl');
    assert.equal(exportName('con', 's', 'jsonl'), '_con.session.jsonl');
    assert.equal(exportName('LPT1.txt', 's', 'jsonl'), '_LPT1.txt.session.jsonl');
    assert.equal(exportName('a\u0000b\u202ec\u200bd\ne', 's', 'jsonl'), 'abcde.session.jsonl');
    assert.equal(exportName('%2e%2e%2f', 's', 'jsonl'), '2e-2e-2f.session.jsonl');
  });

  it('cuts long titles between characters', () => {
    assert.equal(exportName('🙂'.repeat(300), 's', 'jsonl'), `${'🙂'.repeat(50)}.session.jsonl`);
  });
});
