import assert from 'node:assert/strict';
import { createSessionView } from '../../../../../src/features/sessions/live/createSessionView';
import { translatedView } from '../../../../../src/features/sessions/live/panelSource';
import { whyNotTexts } from '../../../../../src/shared/session/sessionView';
import { Transcript } from '../../../../../src/shared/session/transcript';

describe('features/sessions/live/translatedView', () => {
  it('translates the texts of a view, but no names from the service', () => {
    const session = { id: 's', archived_at: '2026-11-21T09:00:00Z' };
    const threads = [
      { id: 'p', parent_thread_id: null },
      { id: 'c', parent_thread_id: 'p', agent: { name: 'Main' } },
    ];
    const view = translatedView(createSessionView({ session, threads }, new Transcript().state()), text => `<${text}>`);
    assert.deepEqual(
      view.threads.map(({ name }) => name),
      ['<Main>', 'Main'],
    );
    assert.equal(view.whyNot, `<${whyNotTexts.archived}>`);
  });
});
