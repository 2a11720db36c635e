import assert from 'node:assert/strict';
import { compareRead, type ReadSession } from '../../../../../src/features/sessions/comparing/comparedSessions';
import { textOf } from '../../../../../src/features/sessions/comparing/pointTexts';
import {
  toComparisonHead,
  toComparisonRow,
  toPairView,
  toPointSide,
} from '../../../../../src/features/sessions/comparing/sessionComparisonPresentation';
import { createSessionView } from '../../../../../src/features/sessions/live/createSessionView';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { fieldOf } from '../../../../helpers/fieldOf';
import { fillPlaceholders } from '../../requests/fillPlaceholders';
import { said, toLog } from './comparedLogs';

const context = { translate: fillPlaceholders, locale: 'en', now: Date.UTC(2026, 10, 23) };
const never = new AbortController().signal;

function read(id: string, events: readonly TranscriptEvent[], more: object = {}): ReadSession {
  const log = new Transcript();
  log.append(events);
  const session = { id, type: 'session', status: 'idle', title: `Session ${id}`, agent: { id: 'a', name: 'Coder', version: 2 }, ...more };
  return { connection: 'Lab', log, view: createSessionView({ session }, log.state()) };
}

const one = read('one', toLog(said('Mend it'), ['bash', { command: 'npm test' }, 'failed'], 'Done.'), {
  created_at: '2026-11-21T09:00:00Z',
});
const other = read(
  'two',
  toLog(said('Mend it'), ['bash', { command: 'npm run test' }, 'failed'], ['bash', { command: 'ls' }, ''], 'All is well.'),
  {
    created_at: '2026-11-22T09:00:00Z',
    usage: { input_tokens: 1200, list_cost: { amount: '25', currency: 'USD' } },
  },
);

describe('features/sessions/comparing/sessionComparisonPresentation', () => {
  it('reports the number of differences and the first one, counts them by kind, and names both sessions, older first', async () => {
    const head = toComparisonHead(await compareRead(other, one, never), context);
    assert.equal(head.title, 'Session one and Session two');
    assert.equal(head.summary, 'Differences: 4, first in turn 1');
    assert.deepEqual(head.differences, ['Calls only in B: 1', 'Calls with different arguments: 1', 'Different answers: 1']);
    assert.deepEqual(
      head.runs.map(({ name, facts }) => [name, facts.slice(0, 2), facts.at(-1)]),
      [
        ['Session one', ['Coder v2', 'Done'], 'Lab'],
        ['Session two', ['Coder v2', 'Done'], 'Lab'],
      ],
    );
    assert.deepEqual(
      head.numbers.map(({ name, before, after }) => `${name}: ${before} / ${after}`),
      ['Turns: 1 / 1', 'Calls: 1 / 2 (+1)', 'Tokens: unknown / 1,200', 'Active: unknown / unknown', 'Cost: unknown / $0.25'],
    );
    assert.deepEqual(
      head.filters.map(({ label, count }) => `${label} ${count}`),
      ['Differences 4', 'Turns 1', 'Calls 2', 'Answers 1', 'Others 0', 'All Steps 5'],
    );
    assert.deepEqual(head.notices, []);
  });

  it('describes each difference', async () => {
    const compared = await compareRead(one, other, never);
    const { differs } = compared.lists;
    const rows = differs.map(point => toComparisonRow(point, context).cells);
    assert.deepEqual(
      rows.map(cells => fieldOf(cells, 'words')),
      [
        ['1', 'Turn', 'calls +1', 'Calls 1', 'Calls 2'],
        ['1', 'bash', 'different arguments', 'npm test', 'npm run test'],
        ['1', 'bash', 'Only in B', 'nothing', 'ls'],
        ['1', 'Answer', 'answer differs', 'Done.', 'All is well.'],
      ],
    );
    assert.deepEqual(
      rows.map(cells => cells[2]?.className?.split(' ')[0]),
      ['kind-changed', 'kind-changed', 'kind-added', 'kind-changed'],
    );
    const views = differs.map(point => toPairView(point, context));
    assert.deepEqual(fieldOf(views.slice(0, 2), 'label'), ['Both sessions, Turn 1', 'Both sessions, Turn 1: bash']);
    assert.deepEqual(fieldOf(views[2]?.links ?? [], 'act'), ['difference', 'after']);
  });

  it('shows a call with arguments and result, and a turn with all its steps', async () => {
    const { lists } = await compareRead(one, other, never);
    const [turn, call] = lists.differs;
    assert.ok(turn && call);
    assert.deepEqual(toPointSide(call, 0, context), {
      facts: [{ name: 'State', value: 'done' }],
      parts: [
        { form: 'code', title: 'Arguments', text: '{\n  "command": "npm test"\n}' },
        { form: 'code', title: 'Result', text: 'failed' },
      ],
      isCut: false,
    });
    assert.deepEqual(
      toPointSide(turn, 1, context)?.parts.map(({ title, text }) => `${title}: ${text.replace(/\s+/g, ' ')}`),
      ['User: Mend it', 'bash: { "command": "npm run test" }', 'Result: failed', 'bash: { "command": "ls" }', 'Agent: All is well.'],
    );
    const added = lists.differs[2];
    assert.equal(added && toPointSide(added, 0, context), undefined);
  });

  it('writes both transcripts without IDs and times, so that equal steps have equal text', async () => {
    const write = async (first: ReadSession, second: ReadSession) => {
      const turns = (await compareRead(first, second, never)).lists.all.filter(({ kind }) => kind === 'turn');
      return [textOf(turns, 0, fillPlaceholders), textOf(turns, 1, fillPlaceholders)] as const;
    };
    const [before, after] = await write(one, other);
    assert.equal(
      before,
      '# Turn 1\n\n## User\n\nMend it\n\n## bash\n\n{\n  "command": "npm test"\n}\n\n### Result\n\nfailed\n\n## Agent\n\nDone.\n\n',
    );
    assert.ok(after.startsWith('# Turn 1\n\n## User\n\nMend it\n\n## bash\n\n'));
    const [left, right] = await write(one, one);
    assert.equal(left, right);
  });

  it('reports no differences, an empty session, and a running one', async () => {
    const empty = read('empty', []);
    assert.equal(toComparisonHead(await compareRead(one, one, never), context).summary, 'No differences.');
    assert.equal(toComparisonHead(await compareRead(empty, empty, never), context).summary, 'Nothing to compare.');
    const running = read('runs', [{ type: 'session.status_running', id: 'r' }], { status: 'running' });
    const { notices } = toComparisonHead(await compareRead(one, running, never), context);
    assert.match(notices.join(' '), /^A: still running \(as of /);
  });

  it('names an untitled session by its first words or its ID, and marks an archived one', async () => {
    const untitled = read('sesn_012345678901234567890', [], { title: '', archived_at: '2026-11-22T10:00:00Z' });
    const worded = read('w', toLog(said('Count the files')), { title: null, created_at: '2026-11-24T09:00:00Z' });
    const { runs, title } = toComparisonHead(await compareRead(untitled, worded, never), context);
    assert.equal(title, 'sesn_0123456…7890 and Count the files');
    assert.ok(runs[0].facts.includes('Archived'));
  });

  it('makes hostile names and words visible, and shortens long ones', async () => {
    const hostile = toLog(said('a\u202eb'), ['x\u0007\u202e', { code: `${'y'.repeat(300_000)}\u202e` }, 'z']);
    const tame = toLog(said('a\u202eb'), ['x\u0007\u202e', { code: 'n' }, 'z']);
    const { lists, sides } = await compareRead(
      read('h', hostile, { title: 'T\u202e' }),
      read('t', tame, { created_at: '2026-11-24T09:00:00Z' }),
      never,
    );
    const rows = lists.all.map(point => toComparisonRow(point, context));
    const shown = JSON.stringify([rows, toComparisonHead({ lists, sides, isPiecewise: false }, context)]);
    assert.ok(['\u202e', '\\u0007'].every(hidden => !shown.includes(hidden)));
    assert.equal(rows[2]?.cells[1]?.words, 'x\\u{7}\\u{202e}');
    const call = lists.differs[0];
    assert.ok(call);
    const side = toPointSide(call, 0, context);
    assert.equal(side?.isCut, true);
    assert.ok((side?.parts.reduce((sum, { text }) => sum + text.length, 0) ?? 0) <= 200_000);
  });
});
