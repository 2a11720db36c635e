import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileMenuEntries, type MenuManifest } from '../../../../../src/features/requests/lenses/fileLenses';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as MenuManifest;
const of = (...keys: readonly string[]) =>
  fileMenuEntries(manifest, new Set(keys.map(key => `managedAgents.${key}`))).map(({ command }) => command.slice('managedAgents.'.length));

describe('features/requests/lenses/fileMenu', () => {
  it('offers at most eight entries, all of them applicable', () => {
    assert.deepEqual(of('requestFiles'), ['batch.create', 'requests.editAll', 'file.fix', 'file.arrange']);
    assert.deepEqual(of('requestFiles', 'answeredFiles', 'unfinishedFiles'), [
      'batch.create',
      'retry.plan',
      'results.show',
      'results.compare',
      'results.export',
      'requests.editAll',
      'file.fix',
      'file.arrange',
    ]);
    assert.deepEqual(of('resultFiles'), ['results.show', 'results.compare', 'results.export']);
  });

  it('offers one entry if nothing was sent yet', () => {
    assert.deepEqual(of('rowFiles'), ['file.build']);
    assert.deepEqual(of('emptyFiles'), ['request.create']);
    assert.deepEqual(of('otherFormFiles'), ['file.convert']);
    assert.deepEqual(of(), []);
  });

  it('has when clauses that the picker evaluates as VS Code does', () => {
    for (const { when, command } of manifest.contributes.menus['managedAgents.fileMenu']) {
      assert.match(when, /^resourcePath in managedAgents\.\w+(?: \|\| resourcePath in managedAgents\.\w+)*$/, command);
    }
  });
});
