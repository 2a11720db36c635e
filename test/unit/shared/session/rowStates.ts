import assert from 'node:assert/strict';
import { createSessionView } from '../../../../src/features/sessions/live/createSessionView';
import type { TranscriptEvent } from '../../../../src/shared/session/event';
import type { Row } from '../../../../src/shared/session/rows/rows';
import type { Transcript } from '../../../../src/shared/session/transcript';

/** Returns whether an event ends the turn of a row's thread. Depends only on the contract, not on the row's state. */
function ends(event: TranscriptEvent, seq: number, row: Row, shown: string | undefined): boolean {
  const reason = (event.stop_reason as { readonly type?: string } | undefined)?.type;
  switch (event.type) {
    case 'session.status_idle':
      // Asks of other threads stay open when the session becomes idle.
      return reason !== 'requires_action' && !((reason === 'budget_reached' || row.thread !== undefined) && isAskedAt(row, seq));
    case 'session.thread_status_idle': {
      const isSame = (event.session_thread_id ?? shown) === (row.thread ?? shown);
      return isSame && reason !== 'requires_action' && !(reason === 'budget_reached' && isAskedAt(row, seq));
    }
    case 'session.thread_status_terminated':
      return (event.session_thread_id ?? shown) === (row.thread ?? shown);
    case 'session.status_terminated':
    case 'session.deleted':
      return true;
    default:
      return false;
  }
}

/** Returns whether a row has an open ask at an event. A spent budget doesn't change open asks. */
function isAskedAt(row: Row, seq: number): boolean {
  return row.kind === 'tool' && row.askSeq !== undefined && row.askSeq <= seq && (row.confirmation?.seq ?? seq + 1) > seq;
}

function goesOn(row: Row): boolean {
  switch (row.kind) {
    case 'tool':
      return row.state === 'running' || row.state === 'held' || row.state === 'waiting';
    case 'model':
      return row.end === undefined;
    case 'outcome':
      return row.step === 'started' || row.step === 'ongoing';
    default:
      return 'preview' in row && row.preview === true;
  }
}

/**
 * Asserts invariants of every log. No row is running, being written or waiting after its turn has ended. The view reports exactly the
 * waiting rows as asks.
 */
export function assertStates(transcript: Transcript): void {
  const { events, rows, shownThread } = transcript;
  for (const row of rows.filter(goesOn)) {
    const again = row.kind === 'tool' ? row.alsoKeys?.[0] : undefined;
    const from = Math.max(
      row.seq,
      events.findLastIndex(({ id }) => id !== undefined && id === again),
    );
    const end = events.findIndex((event, seq) => seq > from && ends(event, seq, row, shownThread));
    assert.equal(end, -1, `${row.kind} ${row.key} goes on though its turn ended with event ${end}`);
  }
  const asks = createSessionView({}, transcript.state()).asks.filter(({ answering }) => answering !== true);
  const waiting = rows.filter(row => row.kind === 'tool' && row.state === 'waiting').map(({ key }) => key);
  const asking = asks.map(({ rowKey }) => rowKey).filter(key => rows.some(row => row.key === key && row.kind === 'tool'));
  assert.deepEqual([...asking].sort(), [...waiting].sort());
}
