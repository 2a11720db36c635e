import assert from 'node:assert/strict';
import { inboxTexts, toInboxTranslations } from '../../../../../src/features/sessions/inbox/inboxTexts';
import { readWebviewTexts, webviewFiles } from '../panel/webviewTexts';

describe('features/sessions/inbox/inboxTexts', () => {
  it('has every text that the inbox shows, with its cards, and no other of its own', () => {
    const translations = toInboxTranslations(text => text.toUpperCase());
    // Their list in a session's panel is not shown here.
    const cards = webviewFiles('src/webview/session/asks').filter(file => !file.endsWith('asks.tsx'));
    const own = readWebviewTexts(webviewFiles('src/webview/inbox'));
    assert.deepEqual(own.unknown, []);
    const shown = [...own.texts, ...readWebviewTexts(cards).texts];
    assert.deepEqual(
      shown.filter(text => translations[text] !== text.toUpperCase()),
      [],
      'shown and not listed',
    );
    assert.deepEqual(
      inboxTexts.filter(text => !own.texts.has(text)),
      [],
      'listed and not shown',
    );
  });
});
