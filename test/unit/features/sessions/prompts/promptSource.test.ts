import assert from 'node:assert/strict';
import { readPromptSource } from '../../../../../src/features/sessions/prompts/ownPrompts';

describe('features/sessions/prompts/promptSource', () => {
  it('reads what a prompt is for from its front matter, which is no part of it', () => {
    const source = '\ufeff---\r\nname: x\r\ndescription: "Reviews a change"\r\n---\r\n\r\n# Review\r\nLook at {{what}}.\r\n';
    assert.deepEqual(readPromptSource(source), { detail: 'Reviews a change', text: '# Review\nLook at {{what}}.' });
  });

  it('takes the first heading where the front matter says nothing', () => {
    assert.deepEqual(readPromptSource('Look.\n\n## Then say\nso\n'), { detail: 'Then say', text: 'Look.\n\n## Then say\nso' });
    assert.deepEqual(readPromptSource('---\ntags: a\n---\n# One'), { detail: 'One', text: '# One' });
    assert.deepEqual(readPromptSource('just words'), { detail: '', text: 'just words' });
    assert.deepEqual(readPromptSource(''), { detail: '', text: '' });
  });

  it('takes a line at the beginning that nothing closes for text', () => {
    assert.deepEqual(readPromptSource('---\ndescription: open'), { detail: '', text: '---\ndescription: open' });
  });
});
