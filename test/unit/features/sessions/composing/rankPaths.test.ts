import assert from 'node:assert/strict';
import { rankPaths, toNameGlob } from '../../../../../src/features/sessions/composing/workspaceFiles';

const paths = ['src/app.ts', 'src/webview/app.tsx', 'docs/myapp.md', 'apples/list.md', 'README.md'].map(path => ({ path }));
const ranked = (query: string, most = 10) => rankPaths(paths, query, most).map(({ path }) => path);

describe('features/sessions/composing/rankPaths', () => {
  it('ranks names that start with the typed text first, then names, then folders', () => {
    assert.deepEqual(ranked('APP'), ['src/app.ts', 'src/webview/app.tsx', 'docs/myapp.md', 'apples/list.md']);
    assert.deepEqual(ranked('app', 2), ['src/app.ts', 'src/webview/app.tsx']);
    assert.deepEqual(ranked('src/app'), ['src/app.ts', 'src/webview/app.tsx']);
    assert.deepEqual(ranked('view/a'), ['src/webview/app.tsx']);
    assert.deepEqual(ranked('apps'), []);
  });

  it('offers the shortest names for an empty input', () => {
    assert.deepEqual(ranked('', 2), ['README.md', 'src/app.ts']);
  });

  it('ignores case, and treats glob characters literally', () => {
    assert.equal(toNameGlob('aB1'), '**/*[aA][bB]1*');
    assert.equal(toNameGlob('a*[{'), '**/*[aA]???*');
    assert.equal(toNameGlob('ß'), '**/*ß*');
  });
});
