import assert from 'node:assert/strict';
import { AwaitedReveal } from '../../../../../src/features/sessions/panel/sessionPanel';
import type { PanelSource } from '../../../../../src/features/sessions/live/panelSource';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { viewOf } from '../../../../webview/panelFixtures';

const call = { type: 'agent.tool_use', id: 'call', name: 'bash', input: { command: 'ls' }, evaluated_permission: 'ask' };
const ask = { eventId: 'call', kind: 'confirmation', rowKey: 'call', tool: 'bash', input: { type: 'json', text: '{}' }, at: 0 } as const;

/** A source whose rows are read step by step. */
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

describe('features/sessions/panel/awaitedReveal', () => {
  const row = { type: 'reveal', thread: '', key: 'call', leavesKeyboard: true };
  const card = { type: 'focus', target: 'ask', eventId: 'call' };

  it('shows the row and focuses the card, once, as soon as both are read', () => {
    const source = new Source();
    const awaited = new AwaitedReveal(source);
    awaited.await({ eventId: 'call', focus: 'ask' });
    assert.deepEqual(awaited.take(), []);
    source.read();
    assert.deepEqual(awaited.take(), [row, card]);
    assert.deepEqual(awaited.take(), []);
  });

  it('reveals the first open ask if no event is given, after everything was read', () => {
    const source = new Source();
    const awaited = new AwaitedReveal(source);
    awaited.await({ focus: 'ask' });
    source.read();
    assert.deepEqual(awaited.take(), []);
    source.connection = { name: 'live' };
    assert.deepEqual(awaited.take(), [row, card]);
  });

  it('focuses the row of an ask that is no longer open', () => {
    const source = new Source();
    const awaited = new AwaitedReveal(source);
    source.read();
    source.asks = [];
    awaited.await({ eventId: 'call', focus: 'ask' });
    assert.deepEqual(awaited.take(), []);
    source.connection = { name: 'live' };
    assert.deepEqual(awaited.take(), [{ type: 'reveal', thread: '', key: 'call' }]);
  });

  it('focuses a card without a row', () => {
    const source = new Source();
    const awaited = new AwaitedReveal(source);
    source.asks = [{ ...ask, eventId: 'stray', rowKey: '' }];
    awaited.await({ eventId: 'stray', focus: 'ask' });
    assert.deepEqual(awaited.take(), [{ ...card, eventId: 'stray' }]);
  });

  it('gives up on a missing ask after everything was read', () => {
    const source = new Source();
    source.connection = { name: 'live' };
    const awaited = new AwaitedReveal(source);
    awaited.await({ eventId: 'call' });
    assert.deepEqual(awaited.take(), []);
    source.read();
    assert.deepEqual(awaited.take(), []);
  });

  it('focuses the composer at once', () => {
    const awaited = new AwaitedReveal(new Source());
    awaited.await({ focus: 'composer' });
    assert.deepEqual(awaited.take(), [{ type: 'focus', target: 'composer' }]);
  });
});
