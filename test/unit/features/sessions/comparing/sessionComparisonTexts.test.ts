import assert from 'node:assert/strict';
import {
  sessionComparisonTexts,
  toSessionComparisonTranslations,
} from '../../../../../src/features/sessions/comparing/sessionComparisonTexts';
import { readWebviewTexts, webviewFiles } from '../panel/webviewTexts';

/** What it takes from other panels. */
const shared = [
  ...webviewFiles('src/webview/pairs'),
  ...webviewFiles('src/webview/session/markdown'),
  ...['results/pairFrame.tsx', 'results/splitter.tsx', 'session/rows/longText.tsx', 'session/rows/restOfText.tsx'].map(
    file => `src/webview/${file}`,
  ),
];

describe('features/sessions/comparing/sessionComparisonTexts', () => {
  it('has every text that a comparison of sessions shows, and no other of its own', () => {
    const own = readWebviewTexts(webviewFiles('src/webview/sessionComparison'));
    const all = [...own.texts, ...readWebviewTexts(shared).texts, 'This is the beginning.', 'Show Whole'];
    const translations = toSessionComparisonTranslations(text => text.toUpperCase());
    assert.ok(own.texts.size > 20);
    assert.deepEqual(own.unknown, []);
    assert.deepEqual(
      all.filter(text => translations[text] !== text.toUpperCase()),
      [],
      'shown and not listed',
    );
    assert.deepEqual(
      sessionComparisonTexts.filter(text => !own.texts.has(text)),
      [],
      'listed and not shown',
    );
  });
});
