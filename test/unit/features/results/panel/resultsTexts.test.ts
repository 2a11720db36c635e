import assert from 'node:assert/strict';
import { resultsTexts } from '../../../../../src/features/results/panel/resultsTexts';
import { readWebviewTexts, webviewFiles } from '../../sessions/panel/webviewTexts';

describe('features/results/panel/resultsTexts', () => {
  it('has every text that the panel shows, and no other', () => {
    const shared = [
      'src/shared/results/markWords.ts',
      'src/shared/results/resultStatus.ts',
      'src/webview/session/markdown/markdownView.tsx',
      'src/webview/session/rows/restOfText.tsx',
      'src/webview/session/code/codeText.tsx',
    ];
    const { texts, unknown } = readWebviewTexts([...webviewFiles('src/webview/results'), ...shared]);
    assert.ok(texts.size > 50);
    assert.deepEqual(unknown, []);
    assert.deepEqual([...texts].sort(), [...resultsTexts].sort());
  });
});
