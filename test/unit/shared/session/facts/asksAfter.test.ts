import assert from 'node:assert/strict';
import { asksAfter } from '../../../../../src/shared/session/facts/asksAfter';

const says = (content: unknown) => ({ type: 'agent.message', id: 'event_1', content });
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
      assert.equal(asksAfter(undefined, says(text(asking))), 'event_1', asking);
    }
    for (const message of ['Done.', 'Which branch? I took main.', '', '```ts\nreturn a;\n```', 'What? '.padEnd(10) + '!'.repeat(300)]) {
      assert.equal(asksAfter('event_0', says(text(message))), undefined, message);
    }
  });

  it('looks at the last of several texts, and reads content of other forms', () => {
    assert.equal(asksAfter(undefined, says(text('Done.', 'Which branch?'))), 'event_1');
    assert.equal(asksAfter('event_0', says(text('Which branch?', 'Done.'))), undefined);
    assert.equal(asksAfter(undefined, says([...text('Which branch?'), { type: 'image' }, null, 5])), 'event_1');
    assert.equal(asksAfter(undefined, says('Which branch?')), 'event_1');
    for (const odd of [undefined, null, 5, {}, [null], [{ type: 'text', text: 5 }]]) {
      assert.equal(asksAfter('event_0', says(odd)), undefined);
    }
  });

  it('is answered by what the user says, and by nothing else', () => {
    assert.equal(asksAfter('event_0', { type: 'user.message' }), undefined);
    assert.equal(asksAfter('event_0', { type: 'session.status_idle' }), 'event_0');
  });
});
