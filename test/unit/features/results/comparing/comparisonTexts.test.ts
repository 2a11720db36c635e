import assert from 'node:assert/strict';
import { comparisonTexts } from '../../../../../src/features/results/comparing/comparisonTexts';
import { resultsTexts } from '../../../../../src/features/results/panel/resultsTexts';
import { readWebviewTexts, webviewFiles } from '../../sessions/panel/webviewTexts';

describe('features/results/comparing/comparisonTexts', () => {
  it('has every text that the comparison shows beside those of the results panel, and no other', () => {
    const { texts, unknown } = readWebviewTexts(['comparison', 'pairs'].flatMap(name => webviewFiles(`src/webview/${name}`)));
    assert.ok(texts.size > 20);
    assert.deepEqual(unknown, []);
    assert.deepEqual([...texts].filter(text => !resultsTexts.includes(text)).sort(), [...comparisonTexts].sort());
  });
});
