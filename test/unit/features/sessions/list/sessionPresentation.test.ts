import assert from 'node:assert/strict';
import type { PresentationContext } from '../../../../../src/common/text/presentation';
import type { ListedSession } from '../../../../../src/features/sessions/facts/listedSession';
import type { OpenAsk } from '../../../../../src/features/sessions/facts/openAsks';
import {
  abilitiesOf,
  describeAsk,
  describeCost,
  describeEnd,
  presentBadge,
  presentGroup,
  presentSession,
  toSessionHover,
} from '../../../../../src/features/sessions/list/sessionPresentation';
import { isTrouble, sessionStates } from '../../../../../src/shared/session/facts/sessionState';
import { fillPlaceholders } from '../../requests/fillPlaceholders';

const context: PresentationContext = { translate: fillPlaceholders, locale: 'en', now: Date.parse('2026-11-21T12:00:00Z') };

function listed(change: Partial<ListedSession> = {}, session: Partial<ListedSession['session']> = {}): ListedSession {
  return {
    connection: 'A',
    session: { id: 'sesn_1', type: 'session', status: 'idle', updated_at: '2026-11-21T11:57:00Z', ...session },
    state: 'idle',
    asks: [],
    name: 'Tidy up',
    ...change,
  };
}

describe('features/sessions/list/sessionPresentation', () => {
  it('shows name, age and agent in a row', () => {
    const row = presentSession(
      listed({}, { agent: { id: 'a', type: 'agent', name: 'Reviewer' }, usage: { input_tokens: 14_200, output_tokens: 900 } }),
      context,
    );
    assert.deepEqual([row.label, row.description], ['Tidy up', '3 min. ago · Reviewer']);
  });

  it("shows no seconds in a row, so that it doesn't change while nothing happens", () => {
    for (const updated_at of ['2026-11-21T11:59:58Z', '2026-11-21T11:59:05Z', '2026-11-21T12:30:00Z']) {
      assert.equal(presentSession(listed({}, { updated_at }), context).description, 'now');
    }
    assert.equal(presentSession(listed({}, { updated_at: undefined }), context).description, '');
  });

  it('shows in the row that a rule answered', () => {
    const row = (result: 'allow' | 'deny') => presentSession(listed({ byRule: { ruleName: 'Make', result } }), context);
    assert.match(row('allow').description, /allowed by rule "Make"/);
    assert.match(row('deny').spoken, /denied by rule "Make"/);
  });

  it('shows in row and hover that a running session seems stuck', () => {
    const problem = { kind: 'silent', minutes: 9, episode: 'e' } as const;
    const stuck = listed({ state: 'running', problem }, { status: 'running' });
    const row = presentSession(stuck, context);
    assert.match(row.description, /^no progress for 9 min · 3 min. ago/);
    assert.match(row.spoken, /^Running, Tidy up, no progress for 9 min/);
    assert.notEqual(row.icon, presentSession(listed({ state: 'running' }), context).icon);
    assert.match(toSessionHover(stuck, { name: 'A', host: 'h' }, context), /Running: no progress for 9 min/);
  });

  it('names an untitled session by its ID', () => {
    assert.equal(presentSession(listed({ name: undefined }), context).label, 'sesn_1');
  });

  it('makes hidden characters in names of agents and sessions visible', () => {
    const row = presentSession(
      listed({ name: 'safe\u202egpj.exe\nsecond' }, { agent: { id: 'a', type: 'agent', name: 'A\u200bB' } }),
      context,
    );
    assert.equal(row.label, 'safe\\u{202e}gpj.exe second');
    assert.match(row.description, /· A\\u\{200b\}B$/);
    assert.doesNotMatch(row.spoken, /[\u202e\u200b\n]/);
  });

  it('shows every state by its own icon and in words', () => {
    const rows = sessionStates.map(state => presentSession(listed({ state }, { status: 'hibernating' }), context));
    assert.equal(new Set(rows.map(({ icon }) => icon)).size, sessionStates.length);
    assert.deepEqual(
      rows.map(({ spoken }) => spoken.split(',')[0]),
      ['Needs you', 'Failed', 'hibernating', 'Running', 'Running', 'Done', 'Failed', 'hibernating', 'Archived'],
    );
    assert.match(presentSession(listed({ state: 'other' }, { status: 'hibernating' }), context).description, /^hibernating · /);
  });

  it("shows a session's needs and its age without hovering", () => {
    const at = Date.parse('2026-11-21T11:58:00Z');
    const ask: OpenAsk = { eventId: 'e', kind: 'confirmation', tool: 'bash', input: { command: 'rm -rf x' }, at };
    const row = (asks: readonly OpenAsk[]) => presentSession(listed({ state: 'waiting', asks }), context);
    assert.equal(row([ask]).description, 'bash rm -rf x · 2 min. ago');
    assert.equal(row([ask]).spoken, 'Needs approval, Tidy up, bash rm -rf x, 2 min. ago');
    assert.equal(row([ask, ask]).description, 'bash rm -rf x (+1) · 2 min. ago');
    assert.equal(row([{ ...ask, kind: 'customTool', tool: 'get_price' }]).description, 'get_price needs a result · 2 min. ago');
    const long = row([{ ...ask, input: { command: 'x'.repeat(100) } }]).description;
    assert.match(long, /^bash x{34}… · 2 min\. ago$/);
    const question = { eventId: 'e', text: 'Which\nweek?' };
    assert.equal(presentSession(listed({ question }), context).description, 'asked: "Which week?" · 3 min. ago');
  });

  it('shows the cost first when sorted by it', () => {
    const one = listed({}, { usage: { list_cost: { amount: '250' } }, agent: { id: 'a', type: 'agent', name: 'R' } });
    assert.equal(presentSession(one, context, 'cost').description, '$2.50 · 3 min. ago · R');
    assert.equal(presentSession(one, context).description, '3 min. ago · R · $2.50');
  });

  it('shows why an idle session stopped, by icon and in words', () => {
    const rows = (
      [
        undefined,
        { kind: 'done' },
        { kind: 'asked', eventId: 'event_1' },
        { kind: 'budget' },
        { kind: 'judged', result: 'satisfied' },
        { kind: 'judged', result: 'failed' },
        { kind: 'other', reason: 'refusal' },
      ] as const
    ).map(rest => presentSession(listed(rest === undefined ? {} : { rest }), context));
    assert.deepEqual(
      rows.map(({ icon, spoken }) => [icon, spoken]),
      [
        ['comment', 'Done, Tidy up, 3 min. ago'],
        ['pass', 'Done, Tidy up, 3 min. ago'],
        ['comment-unresolved', 'Done, Tidy up, 3 min. ago'],
        ['credit-card', 'Out of budget, Tidy up, 3 min. ago'],
        ['verified', 'Outcome satisfied, Tidy up, 3 min. ago'],
        ['unverified', 'Outcome not satisfied, Tidy up, 3 min. ago'],
        ['comment', 'Done, Tidy up, refusal, 3 min. ago'],
      ],
    );
    const failed = presentSession(listed({ state: 'failed', rest: { kind: 'failed' } }), context);
    assert.deepEqual([failed.icon, failed.description], ['warning', 'retries used up · 3 min. ago']);
    assert.match(toSessionHover(listed({ rest: { kind: 'done' } }), { name: 'A', host: 'h' }, context), /\*\* · Done\n/);
  });

  it('shows the cost of a session if the service reports it', () => {
    const cost = (amount: string, currency = 'USD') => describeCost({ usage: { list_cost: { amount, currency } } }, context);
    assert.deepEqual([cost('120'), cost('0.4'), cost('0'), cost('x'), cost('5', 'not money')], ['$1.20', '< $0.01', '', '', '']);
    assert.equal(describeCost({}, context), '');
    assert.match(presentSession(listed({}, { usage: { list_cost: { amount: '250' } } }), context).description, / · \$2\.50$/);
  });

  it('offers only actions that a state allows', () => {
    const can = (state: ListedSession['state'], status = 'idle') => abilitiesOf(listed({ state }, { status })).split(' ');
    assert.ok(can('running').includes('interruptible') && can('waiting').includes('interruptible'));
    assert.ok(!can('idle').includes('interruptible') && can('idle').includes('sendable'));
    assert.ok(can('failed', 'running').includes('interruptible') && !can('failed').includes('interruptible'));
    assert.deepEqual(can('archived'), ['session', 'deletable']);
    assert.ok(!can('terminated').includes('sendable') && can('terminated').includes('archivable'));
  });

  it('shows how many sessions a group has, and how many wait', () => {
    const whole = { known: 20, isPart: false, reach: 'none' } as const;
    const waiting = [listed({ state: 'waiting' }), listed({ state: 'waiting' })];
    const row = presentGroup({ name: 'needsYou', sessions: waiting }, whole, context);
    assert.deepEqual([row.label, row.description, row.spoken], ['Needs You', '2', 'Needs You, 2']);
    assert.equal(presentBadge(0, whole, context), undefined);
    assert.deepEqual(presentBadge(2, whole, context), { value: 2, tooltip: 'Needs you: 2' });
    assert.deepEqual(presentBadge(1, whole, context), { value: 1, tooltip: 'Needs you: 1' });
  });

  it('shows how many sessions were checked if others may wait too', () => {
    const part = { known: 1200, isPart: true, reach: 'reading' } as const;
    const waiting = [listed({ state: 'waiting' })];
    assert.equal(presentGroup({ name: 'needsYou', sessions: waiting }, part, context).description, '1 of the newest 1,200');
    assert.equal(presentBadge(1, part, context)?.tooltip, 'Needs you: 1 of the newest 1,200');
  });

  it('names the connection of an open session of another connection', () => {
    assert.match(presentSession(listed({ isElsewhere: true, connection: 'Team' }), context).description, / · Team$/);
  });

  it('shows an ask by the first words of its arguments, on one safe line', () => {
    const words = (input: unknown, tool?: string) =>
      describeAsk({ eventId: 'e', kind: 'confirmation', input, ...(tool === undefined ? {} : { tool }) }, context);
    assert.equal(words({ question: 'Which\ncolour?' }, 'ask_user'), 'ask_user Which ⏎ colour?');
    assert.equal(words({ a: 1, b: 'x' }, 'f'), 'f a: 1, b: x');
    assert.equal(words({}, 'f'), 'f');
    assert.equal(words('rm \u202e-rf', 'bash'), 'bash rm \\u{202e}-rf');
    assert.equal(words({ command: 'x'.repeat(500) }, 'bash').length, 'bash '.length + 80);
    assert.equal(words(undefined), 'needs an answer');
  });
});

describe('features/sessions/toSessionHover', () => {
  const connection = { name: 'A', host: 'h:1' };

  it('shows asks, tokens by bucket and times', () => {
    const hover = toSessionHover(
      listed(
        { state: 'waiting', asks: [{ eventId: 'e', kind: 'customTool', tool: 'get_price', input: { item: 'tea' } }] },
        { usage: { input_tokens: 5, cache_creation: { ephemeral_5m_input_tokens: 7 } }, created_at: '2026-11-21T11:00:00Z' },
      ),
      connection,
      context,
    );
    assert.match(hover, /^\*\*Tidy up\*\* · Needs you\n/);
    assert.match(hover, /Pending: get\\_price needs a result/);
    assert.match(hover, /Input tokens: 5/);
    assert.match(hover, /Cache write tokens: 7/);
    assert.doesNotMatch(hover, /Output tokens/);
    assert.match(hover, /Connection: A \\\(h:1\\\)/);
  });

  it('contains no markup, links or line breaks from the service', () => {
    const hover = toSessionHover(
      listed({ name: '[x](command:evil)\n# **big** <b>' }, { environment_id: '![i](http://x)' }),
      connection,
      context,
    );
    assert.doesNotMatch(hover, /(?<!\\)\[|<b>|\n#/);
  });

  it('shows how a session ended and its cost', () => {
    const cost = { usage: { list_cost: { amount: '12' } } };
    const ends = [
      listed({ rest: { kind: 'done' } }, cost),
      listed({ rest: { kind: 'judged', result: 'failed' } }, cost),
      listed({ state: 'failed', rest: { kind: 'failed' } }, cost),
      listed({ state: 'terminated' }, cost),
    ];
    assert.deepEqual(
      ends.map(end => describeEnd(end, context)),
      [
        '"Tidy up" finished · $0.12',
        '"Tidy up": Outcome not satisfied · $0.12',
        '"Tidy up" failed: retries used up · $0.12',
        '"Tidy up" failed · $0.12',
      ],
    );
    assert.deepEqual(ends.map(isTrouble), [false, true, true, true]);
  });
});
