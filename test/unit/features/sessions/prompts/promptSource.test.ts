import assert from 'node:assert/strict';
import { readPromptSource } from '../../../../../src/features/sessions/prompts/ownPrompts';

describe('features/sessions/prompts/promptSource', () => {
  it("reads a prompt's description from its front matter, which isn't part of the prompt", () => {
    const source = '\ufeff---\r\nname: x\r\ndescription: "Reviews a change"\r\n---\r\n\r\n# Review\r\nLook at {{what}}.\r\n';
    assert.deepEqual(readPromptSource(source), { detail: 'Reviews a change', text: '# Review\nLook at {{what}}.' });
  });

  it('uses the first heading if the front matter has no description', () => {
    assert.deepEqual(readPromptSource('Look.\n\n## Then say\nso\n'), { detail: 'Then say', text: 'Look.\n\n## Then say\nso' });
    assert.deepEqual(readPromptSource('---\ntags: a\n---\n# One'), { detail: 'One', text: '# One' });
    assert.deepEqual(readPromptSource('just words'), { detail: '', text: 'just words' });
    assert.deepEqual(readPromptSource(''), { detail: '', text: '' });
  });

  it('treats an unclosed front matter as text', () => {
    assert.deepEqual(readPromptSource('---\ndescription: open'), { detail: '', text: '---\ndescription: open' });
  });
});
