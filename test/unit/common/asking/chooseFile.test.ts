import assert from 'node:assert/strict';
import { typedPath } from '../../../../src/common/asking/chooseFile';

describe('common/asking/chooseFile', () => {
  it('accepts a typed path, but not search words', () => {
    const named = (text: string, folder: string | undefined = '/ws') => typedPath(text, '/home/ada', folder);
    assert.deepEqual(
      ['/tmp/x/../a.http', '~/b.json', './c.http', '../d.http'].map(text => named(text)),
      ['/tmp/a.http', '/home/ada/b.json', '/ws/c.http', '/d.http'],
    );
    assert.deepEqual(
      ['', '/', '~', 'delivery', 'sub/e.http'].map(text => named(text)),
      [undefined, undefined, undefined, undefined, undefined],
    );
    assert.equal(typedPath('./c.http', '/home/ada', undefined), undefined);
  });
});
