import assert from 'node:assert/strict';
import { formatText } from '../../../../../src/contract/problem';
import { toFixChoices, toFixSentence, toFixTitle } from '../../../../../src/features/requests/fixes/fixFile';

const t = (template: string, ...args: (string | number)[]) => formatText({ template, args });
const summary = { changedLines: 1200, problemsLeft: 3, requests: 2000, withoutId: 0 };

describe('features/requests/fixes/fixFile', () => {
  it('lists the kinds of fixes that change something, with safe ones selected', () => {
    const fixes = [
      ['remove-field', 1],
      ['drop-stream', 1200],
      ['same-key', 0],
    ] as const;
    assert.deepEqual(toFixChoices(fixes, t, 'en'), [
      { fix: 'remove-field', label: 'Remove unknown fields', description: '1 line', picked: false },
      { fix: 'drop-stream', label: 'Remove stream', description: '1,200 lines', picked: true },
    ]);
  });

  it('reports fixed lines and remaining problems', () => {
    const fixes = [['drop-stream', 1200]] as const;
    assert.equal(toFixSentence({ ...summary, fixes }, t, 'en'), 'Lines fixed: 1,200. Errors and warnings left: 3.');
    const none = { ...summary, changedLines: 0, fixes: [], problemsLeft: 0 };
    assert.equal(toFixSentence(none, t, 'en'), 'Nothing was changed. No problems remain.');
    assert.equal(toFixSentence({ ...none, requests: 0 }, t, 'en'), 'Nothing was changed. The file has no requests.');
    assert.equal(toFixSentence({ ...none, fixes: [['byte-order-mark', 1]] }, t, 'en'), 'Fixed. No problems remain.');
  });

  it('shows text from a file as one escaped line', () => {
    assert.ok(!toFixTitle({ template: 'Remove {0}', args: ['a\n\u202eb'] }, t).includes('\n'));
    assert.ok(!toFixTitle({ template: 'Remove {0}', args: ['a\u202eb'] }, t).includes('\u202e'));
  });
});
