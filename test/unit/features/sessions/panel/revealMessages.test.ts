import assert from 'node:assert/strict';
import type { PanelSource } from '../../../../../src/features/sessions/live/panelSource';
import { revealMessages } from '../../../../../src/features/sessions/panel/sessionPanel';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { viewOf } from '../../../../webview/panelFixtures';

const call = { type: 'agent.tool_use', id: 'call', name: 'bash', input: { command: 'ls' }, evaluated_permission: 'ask' };
const ask = { eventId: 'call', kind: 'confirmation', rowKey: 'call', tool: 'bash', input: { type: 'json', text: '{}' }, at: 0 } as const;

/** A source that reads its rows step by step. */
class Source {
  connection: PanelSource['connection'] = { name: 'catchingUp', events: 0 };
  asks: PanelSource['view']['asks'] = [];
  private readonly log = new Transcript();

  get view(): PanelSource['view'] {
    return viewOf({ asks: this.asks });
  }

  transcript(): Transcript {
    return this.log;
  }

  read(): void {
    this.log.append([call]);
    this.asks = [ask];
  }
}

describe('features/sessions/panel/revealMessages', () => {
  const row = { type: 'reveal', thread: '', key: 'call', leavesKeyboard: true };
  const card = { type: 'focus', target: 'ask', eventId: 'call' };

  it('shows the row and focuses the card as soon as both are read', () => {
    const source = new Source();
    assert.equal(revealMessages(source, { eventId: 'call', focus: 'ask' }), undefined);
    source.read();
    assert.deepEqual(revealMessages(source, { eventId: 'call', focus: 'ask' }), [row, card]);
  });

  it('reveals the first open ask if no event is given, after everything was read', () => {
    const source = new Source();
    source.read();
    assert.equal(revealMessages(source, { focus: 'ask' }), undefined);
    source.connection = { name: 'live' };
    assert.deepEqual(revealMessages(source, { focus: 'ask' }), [row, card]);
  });

  it('focuses the row of an ask that is no longer open', () => {
    const source = new Source();
    source.read();
    source.asks = [];
    assert.equal(revealMessages(source, { eventId: 'call', focus: 'ask' }), undefined);
    source.connection = { name: 'live' };
    assert.deepEqual(revealMessages(source, { eventId: 'call', focus: 'ask' }), [{ type: 'reveal', thread: '', key: 'call' }]);
  });

  it('focuses a card without a row', () => {
    const source = new Source();
    source.asks = [{ ...ask, eventId: 'stray', rowKey: '' }];
    assert.deepEqual(revealMessages(source, { eventId: 'stray', focus: 'ask' }), [{ ...card, eventId: 'stray' }]);
  });

  it('gives up on a missing ask after everything was read', () => {
    const source = new Source();
    assert.equal(revealMessages(source, { eventId: 'call' }), undefined);
    source.connection = { name: 'live' };
    assert.deepEqual(revealMessages(source, { eventId: 'call' }), []);
  });

  it('focuses the composer at once', () => {
    assert.deepEqual(revealMessages(new Source(), { focus: 'composer' }), [{ type: 'focus', target: 'composer' }]);
  });
});
