import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EventLog, type LogNews } from '../../../../src/emulator/sessions/eventLog';

describe('emulator/sessions/eventLog', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'event-log-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const event = (id: string, more: object = {}) => ({ type: 'agent.message', id, ...more });

  it('keeps events in order and an amended one at its position', () => {
    const log = new EventLog(undefined);
    log.append([event('a'), event('b')], 1);
    log.append([event('c')], 2);
    log.amend('b', { processed_at: 'now' });
    assert.equal(log.length, 3);
    assert.deepEqual(
      [0, 1, 2, 3].map(at => log.at(at)?.id),
      ['a', 'b', 'c', undefined],
    );
    assert.deepEqual(log.get('b'), event('b', { processed_at: 'now' }));
    assert.equal(log.get('z'), undefined);
    log.amend('z', { processed_at: 'never' });
    assert.equal(log.length, 3);
  });

  it('notifies listeners of stored, amended and previewed events, and of the end', () => {
    const log = new EventLog(undefined);
    const heard: (readonly LogNews[])[] = [];
    const forget = log.listen(news => heard.push(news));
    log.append([event('a'), event('b')], 1);
    log.amend('a', { x: 1 });
    log.preview({ type: 'event_start' }, 'agent.message');
    log.end();
    forget();
    log.append([event('c')], 1);
    assert.deepEqual(
      heard.map(news => news.map(({ json, previewOf }) => [JSON.parse(json).id ?? JSON.parse(json).type, previewOf])),
      [
        [
          ['a', undefined],
          ['b', undefined],
        ],
        [['a', undefined]],
        [['event_start', 'agent.message']],
        [],
      ],
    );
  });

  it('reads its own file, the latest version of each event', async () => {
    const file = path.join(folder, 'deep', 'log.events');
    const log = new EventLog(file);
    log.append([event('a', { text: 'line\nfeed \u2028' }), event('b')], 7);
    log.amend('a', { processed_at: 'now' });
    const again = await EventLog.open(file);
    assert.equal(again.length, 2);
    assert.deepEqual(again.at(0), { id: 'a', type: 'agent.message', createdAt: 7, json: JSON.stringify(log.get('a')) });
    again.append([event('c')], 8);
    assert.equal((await readFile(file, 'utf8')).split('\n').length, 5);
  });

  it('is empty without a file', async () => {
    assert.equal((await EventLog.open(path.join(folder, 'none'))).length, 0);
  });
});
