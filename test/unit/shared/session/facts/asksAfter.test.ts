import assert from 'node:assert/strict';
import { asksAfter } from '../../../../../src/shared/session/facts/asksAfter';

const says = (content: unknown, thread?: string) => ({ type: 'agent.message', content, session_thread_id: thread ?? null });
const text = (...texts: string[]) => texts.map(text => ({ type: 'text', text }));

describe('shared/session/facts/asksAfter', () => {
  it('goes by how the last words to the user end', () => {
    for (const asking of [
      'Which branch?',
      'Soll ich das löschen?\n',
      '继续吗？',
      'Is it **this one?**',
      'He asked: "Which one?" ',
      'a? b? (c?)',
    ]) {
      assert.equal(asksAfter(false, says(text(asking))), true, asking);
    }
    for (const told of ['Done.', 'Which branch? I took main.', '', '```ts\nreturn a;\n```', 'What? '.padEnd(10) + '!'.repeat(300)]) {
      assert.equal(asksAfter(true, says(text(told))), false, told);
    }
  });

  it('looks at the last of several texts, and reads content of other forms', () => {
    assert.equal(asksAfter(false, says(text('Done.', 'Which branch?'))), true);
    assert.equal(asksAfter(true, says(text('Which branch?', 'Done.'))), false);
    assert.equal(asksAfter(false, says([...text('Which branch?'), { type: 'image' }, null, 5])), true);
    assert.equal(asksAfter(false, says('Which branch?')), true);
    for (const odd of [undefined, null, 5, {}, [null], [{ type: 'text', text: 5 }]]) {
      assert.equal(asksAfter(true, says(odd)), false);
    }
  });

  it('is answered by what the user says, and by nothing else', () => {
    assert.equal(asksAfter(true, { type: 'user.message' }), false);
    assert.equal(asksAfter(true, { type: 'session.status_idle' }), true);
    assert.equal(asksAfter(true, says(text('Done.'), 'thread_1')), true);
    assert.equal(asksAfter(false, says(text('Which branch?'), 'thread_1')), false);
  });
});
