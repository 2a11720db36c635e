import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Uri } from 'vscode';
import { exportJsonl } from '../../../../../src/features/sessions/facts/sessionJsonl';
import { ReplaySession } from '../../../../../src/features/sessions/live/replaySession';
import { until } from '../../../../helpers/until';
import { fillPlaceholders } from '../../requests/fillPlaceholders';
import { said } from '../panel/sessionUnderTest';

describe('features/sessions/live/replaySession', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'replay-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const replay = (name: string, contents: string | Uint8Array) => {
    const file = path.join(folder, name);
    writeFileSync(file, contents);
    return of(file);
  };
  const of = (file: string) => {
    // A `ReplaySession` reads only the paths of its URI.
    const session = new ReplaySession({ fsPath: file, path: file } as Uri, fillPlaceholders);
    const keys: string[] = [];
    session.onDidChange(change => {
      if (change.type === 'rows' && change.thread === '') {
        keys.splice(0, keys.length, ...(session.transcript('')?.rows ?? []).map(({ key }) => key));
      }
    });
    return { session, keys };
  };
  const header = { exportedAt: '2026-11-21T12:00:00Z', source: 'Lab (lab)', session: { id: 'sesn_1', title: 'Build', status: 'idle' } };

  it('shows an export with its threads, and accepts no messages', async () => {
    const lines = exportJsonl(header, [
      { thread: '', events: said(1, 2, 3) },
      { thread: 'thr_a', events: said(4) },
    ]);
    const { session, keys } = replay('whole.session.jsonl', [...lines].join(''));
    await session.read();
    assert.deepEqual(keys, ['e1', 'e2', 'e3']);
    assert.deepEqual(session.connection, { name: 'offlineFile' });
    assert.equal(session.view.title, 'Build');
    assert.equal(session.view.canSend, false);
    assert.equal(session.canWrite, false);
    assert.equal(session.name, 'whole.session.jsonl');
    assert.deepEqual(session.openThreads, ['', 'thr_a']);
    assert.equal(session.transcript('thr_a')?.rows.length, 1);
  });

  it('shows the log as it was after any event', async () => {
    const events = [
      { type: 'session.status_running', id: 'r' },
      { type: 'session.status_idle', id: 'i', stop_reason: { type: 'end_turn' } },
    ];
    const { session } = replay('states.session.jsonl', events.map(event => `${JSON.stringify(event)}\n`).join(''));
    await session.read();
    for (const [seq, state, count] of [
      [0, 'running', 1],
      [-1, 'other', 0],
      [1, 'idle', 2],
      [0, 'running', 1],
    ] as const) {
      session.showAt('', seq);
      await until(() => session.rows('')?.length === count);
      assert.equal(session.view.state, state);
    }
    session.openThread('thr_a');
    await until(() => session.rows('')?.length === 2);
  });

  it('shows the readable part of a damaged file, and names the damaged lines', async () => {
    const good = said(1, 2).map(event => JSON.stringify(event));
    const { session, keys } = replay('damaged.session.jsonl', [good[0], '{"type":', '[1]', good[1], '{"type":"agent.mess'].join('\n'));
    await session.read();
    assert.deepEqual(keys, ['e1', 'e2']);
    const reason = session.connection.name === 'ended' ? session.connection.reason : '';
    assert.equal(reason, 'Lines left out: 3 (line 2: not JSON; line 3: no event; line 5: not JSON).');
  });

  it('reports a file without events, and an unreadable one', async () => {
    const { session } = replay('empty.session.jsonl', '');
    await session.read();
    assert.match(session.connection.name === 'ended' ? session.connection.reason : '', /no session events/);
    const { session: gone } = of(path.join(folder, 'gone.session.jsonl'));
    await gone.read();
    assert.match(gone.connection.name === 'ended' ? gone.connection.reason : '', /ENOENT/);
  });

  it('reads a changed file again', async () => {
    const { session, keys } = replay('again.session.jsonl', `${JSON.stringify(said(1)[0])}\n`);
    await session.read();
    writeFileSync(
      path.join(folder, 'again.session.jsonl'),
      said(7, 8, 9)
        .map(event => `${JSON.stringify(event)}\n`)
        .join(''),
    );
    await session.read();
    assert.deepEqual(keys, ['e7', 'e8', 'e9']);
  });

  it('ends when its panel is closed', async () => {
    const { session, keys } = replay(
      'closed.session.jsonl',
      said(...Array.from({ length: 9000 }, (_, n) => n))
        .map(event => JSON.stringify(event))
        .join('\n'),
    );
    const reading = session.read();
    session.dispose();
    await reading;
    assert.ok(keys.length < 9000);
  });
});
