import assert from 'node:assert/strict';
import { excerptOf, lastSaid, saidIn } from '../../../../../src/features/sessions/facts/findWords';

const said = (id: string, text: string, type = 'agent.message') => ({ type, id, content: [{ type: 'text', text }] });

describe('features/sessions/facts/findWords', () => {
  it('finds the last occurrence of words, ignoring case', () => {
    const events = [said('a', 'The Invoice is late'), said('b', 'Pay the INVOICE now', 'user.message'), said('c', 'done')];
    assert.deepEqual(lastSaid(events, 'invoice'), { eventId: 'b', excerpt: 'Pay the INVOICE now' });
    assert.equal(lastSaid(events, 'nothing'), undefined);
    assert.equal(lastSaid(events, ''), undefined);
  });

  it('searches messages of users and agents, not tool results', () => {
    assert.equal(lastSaid([said('a', 'invoice', 'agent.tool_result'), { type: 'agent.message', id: 'b' }], 'invoice'), undefined);
  });

  it('shows some context on one line without hidden characters', () => {
    const text = `${'x'.repeat(100)}\nthe  invo\u202eice ${'y'.repeat(300)}`;
    const excerpt = excerptOf(text, 'the') ?? '';
    assert.match(excerpt, /^…x+ the invo\\u\{202e\}ice y+…$/);
    assert.ok(excerpt.length < 170);
  });

  it('keeps only the latest messages, up to a limit', () => {
    const words = saidIn([said('a', 'begin'), said('b', 'z'.repeat(10_000)), said('c', 'the end')]);
    assert.ok(words.length <= 4_000 && words.endsWith('the end') && !words.includes('begin'));
    assert.equal(saidIn([{ type: 'session.status_idle' }]), '');
  });
});
