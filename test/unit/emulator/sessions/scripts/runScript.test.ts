import assert from 'node:assert/strict';
import { scripts, triggerWords } from '../../../../../src/emulator/sessions/scripts/runScript';

describe('emulator/sessions/scripts/runScript', () => {
  it('has one script per trigger word, with a description of one line', () => {
    const words = Object.keys(scripts);
    assert.ok(words.every(word => /^[a-z]+$/.test(word)));
    const lines = triggerWords();
    assert.equal(lines.length, words.length);
    assert.ok(lines.every((line, at) => line.startsWith(words[at] ?? ' ') && line.length < 140 && !line.includes('\n')));
  });
});
