import assert from 'node:assert/strict';
import { panelTexts } from '../../../../../../src/features/sessions/panel/words/panelTexts';
import { readWebviewTexts } from '../webviewTexts';

describe('features/sessions/panel/words/panelTexts', () => {
  const { texts, unknown } = readWebviewTexts();

  it('has every text that the panel shows, and no other', () => {
    assert.ok(texts.size > 100);
    const listed = new Set(panelTexts);
    assert.deepEqual([...texts].filter(text => !listed.has(text)).sort(), [], 'asked for by the panel and not listed');
    assert.deepEqual([...listed].filter(text => !texts.has(text)).sort(), [], 'listed and not asked for by the panel');
    assert.equal(listed.size, panelTexts.length, 'a text is listed twice');
  });

  it('knows where each text comes from', () => {
    assert.deepEqual(unknown, []);
  });
});
