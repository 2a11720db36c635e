import type { SessionEvent } from '../../../../../src/client/events/eventLog';

const second = 1000;
const minute = 60 * second;

/** A generated session. Times are in milliseconds since the start of the session. */
export interface GeneratedSession {
  readonly id: string;
  readonly agent: string;
  readonly what: string;
  readonly events: readonly SessionEvent[];
  /** Total cost in cents and total tokens from `at` on, ordered by time. */
  readonly usage: readonly { readonly at: number; readonly cents: number; readonly tokens: number }[];
  /** Time at which the session counts as stuck. `undefined` for a healthy session. */
  readonly stuckAt?: number;
}

/** Start of all sessions, in milliseconds since 1970. */
export const start = Date.UTC(2026, 10, 1, 9);

/** Returns a generator of numbers from 0 to 1 (exclusive). Equal seeds give equal numbers. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Writes the log of one session step by step. */
class Script {
  readonly events: SessionEvent[] = [];
  readonly usage: { at: number; cents: number; tokens: number }[] = [];
  at = 0;
  private cents = 0;
  private tokens = 100;

  constructor(
    readonly id: string,
    private readonly random: () => number,
  ) {}

  between(from: number, to: number): number {
    return from + this.random() * (to - from);
  }

  wait(milliseconds: number): this {
    this.at += Math.round(milliseconds);
    return this;
  }

  emit(type: string, fields: object = {}): string {
    const id = `${this.id}_${this.events.length}`;
    this.events.push({ type, id, processed_at: new Date(start + this.at).toISOString(), ...fields } as SessionEvent);
    return id;
  }

  begin(): this {
    this.emit('user.message', { content: [{ type: 'text', text: 'Go on.' }] });
    this.wait(second).emit('session.thread_status_running', { session_thread_id: 'own', agent_name: 'agent' });
    this.emit('session.status_running');
    return this;
  }

  end(): this {
    this.say('Done.').emit('session.status_idle', { stop_reason: { type: 'end_turn' } });
    return this;
  }

  say(text: string): this {
    this.emit('agent.message', { content: [{ type: 'text', text }] });
    return this;
  }

  spend(cents: number, tokens = 500): this {
    this.cents += cents;
    this.tokens += tokens;
    this.usage.push({ at: this.at, cents: this.cents, tokens: this.tokens });
    return this;
  }

  /** Adds a call, and its result after `takes` milliseconds. If `takes` is infinite, the call has no result. */
  call(name: string, input: object, result: string, takes: number, isError = false): this {
    const id = this.emit('agent.tool_use', { name, input, evaluated_permission: 'allow' });
    if (Number.isFinite(takes)) {
      this.wait(takes).emit('agent.tool_result', { tool_use_id: id, content: [{ type: 'text', text: result }], is_error: isError });
    }
    return this;
  }

  /** Adds different calls with different results, and occasional messages. */
  work(steps: number, longestPause = 3 * minute): this {
    for (let step = 0; step < steps; step++) {
      this.wait(this.between(2 * second, longestPause));
      this.call('bash', { command: `step ${this.events.length}` }, `output ${this.random()}`, this.between(second, 4 * minute));
      this.spend(this.between(0, 8));
      if (this.random() < 0.3) {
        this.wait(second).say(`Step ${step} is done.`);
      }
    }
    return this;
  }
}

type Plot = (script: Script) => number | undefined;

/** Kinds of stuck sessions, with the number of sessions per kind. A plot returns the time at which a session counts as stuck. */
const stuck: readonly (readonly [what: string, count: number, plot: Plot])[] = [
  ['falls silent', 8, script => script.work(3).at + 8 * minute],
  [
    'a tool never returns',
    5,
    script => script.work(2).call('bash', { command: 'sleep inf' }, '', Number.POSITIVE_INFINITY).at + 20 * minute,
  ],
  [
    'repeats a call',
    6,
    script => {
      script.work(3);
      const seen: number[] = [];
      for (let time = 0; time < 12; time++) {
        script.wait(script.between(5 * second, 90 * second));
        seen.push(script.at);
        const took = `2 failing, took ${Math.round(script.between(100, 900))} ms`;
        script.call('bash', { command: 'npm test' }, took, script.between(second, minute)).spend(2);
      }
      return seen[2];
    },
  ],
  [
    'alternates',
    4,
    script => {
      script.work(2);
      const seen: number[] = [];
      for (let time = 0; time < 16; time++) {
        script.wait(script.between(5 * second, 60 * second));
        seen.push(script.at);
        const isRead = time % 2 === 0;
        script.call(isRead ? 'read' : 'grep', isRead ? { path: 'a.ts' } : { pattern: 'b' }, isRead ? 'text' : 'no match', 3 * second);
      }
      return seen[7];
    },
  ],
  [
    'fails alike',
    4,
    script => {
      script.work(2);
      const seen: number[] = [];
      for (let time = 0; time < 8; time++) {
        script.wait(script.between(5 * second, 60 * second));
        script.call('edit', { path: `file${time}.ts`, text: `${time}` }, 'old_string was not found in the file', 2 * second, true);
        seen.push(script.at);
        script.wait(10 * second).call('read', { path: `file${time}.ts` }, `text ${time}`, second);
      }
      return seen[2];
    },
  ],
  [
    'spends without a word',
    3,
    script => {
      script.work(1).say('I begin.').spend(0);
      let spent = 0;
      let reached: number | undefined;
      for (let time = 0; time < 30; time++) {
        script.wait(script.between(20 * second, 60 * second));
        script.call('bash', { command: `try ${time}` }, `output ${time}`, 5 * second).spend(22);
        spent += 22;
        reached ??= spent >= 200 ? script.at : undefined;
      }
      return reached;
    },
  ],
];

/** Kinds of sessions that look stuck but aren't, with the number of sessions per kind. */
const healthy: readonly (readonly [what: string, count: number, plot: (script: Script) => unknown])[] = [
  [
    'runs long tools',
    12,
    script =>
      script
        .work(2)
        .call('bash', { command: 'build' }, 'built', script.between(9, 19) * minute)
        .work(3)
        .end(),
  ],
  [
    'thinks long, as always',
    8,
    script =>
      script
        .work(1)
        .wait(script.between(9, 12) * minute)
        .say('I have a plan.')
        .wait(script.between(9, 12) * minute)
        .work(2)
        .end(),
  ],
  ['works steadily', 8, script => script.work(12, 7 * minute).end()],
  ['waits for a sub-agent whose work is in the log', 8, script => delegate(script, 'visible')],
  ['waits for a sub-agent that uses tokens', 6, script => delegate(script, 'tokens')],
  ['waits for a sub-agent that shows nothing', 4, script => delegate(script, 'hidden')],
  [
    'polls with new results',
    8,
    script => {
      for (let time = 0; time < 15; time++) {
        script.wait(script.between(20 * second, 2 * minute));
        script.call('bash', { command: 'status' }, `${time * 7} of 105 are done`, second);
      }
      script.end();
    },
  ],
  [
    'edits and tests in turn',
    6,
    script => {
      for (let time = 0; time < 10; time++) {
        script.call('edit', { path: 'a.ts', text: `try ${time}` }, 'changed', second).wait(minute);
        script
          .call('bash', { command: 'npm test' }, `${20 - time} failing`, 30 * second, true)
          .wait(minute)
          .spend(5);
        script.say(`Try ${time}`);
      }
      script.end();
    },
  ],
  [
    'waits for approval',
    6,
    script => {
      const id = script.work(2).emit('agent.tool_use', { name: 'bash', input: { command: 'deploy' }, evaluated_permission: 'ask' });
      script.emit('session.status_idle', { stop_reason: { type: 'requires_action', event_ids: [id] } });
      script.wait(script.between(30, 60) * minute).emit('user.tool_confirmation', { tool_use_id: id, result: 'allow' });
      script.emit('session.status_running');
      script.wait(minute).emit('agent.tool_result', { tool_use_id: id, content: [{ type: 'text', text: 'deployed' }] });
      script.end();
    },
  ],
  [
    'spends with a word now and then',
    4,
    script => {
      for (let time = 0; time < 12; time++) {
        script
          .wait(2 * minute)
          .call('bash', { command: `render ${time}` }, `picture ${time}`, minute)
          .spend(90)
          .wait(second)
          .say(`${time}`);
      }
      script.end();
    },
  ],
];

function delegate(script: Script, how: 'visible' | 'tokens' | 'hidden'): void {
  script.work(1).emit('session.thread_created', { session_thread_id: 'child', agent_name: 'helper' });
  script.emit('session.thread_status_running', { session_thread_id: 'child', agent_name: 'helper' });
  for (let step = 0; step < 30; step++) {
    script.wait(minute * script.between(1, 2));
    if (how === 'visible') {
      const id = script.emit('agent.tool_use', { name: 'grep', input: { pattern: `${step}` }, session_thread_id: 'child' });
      script.emit('agent.tool_result', { tool_use_id: id, content: [], session_thread_id: 'child' });
    } else if (how === 'tokens') {
      script.spend(1);
    }
  }
  const content = [{ type: 'text', text: 'Found it.' }];
  script.emit('agent.thread_message_received', { from_session_thread_id: 'child', content });
  script.emit('session.thread_status_idle', { session_thread_id: 'child', stop_reason: { type: 'end_turn' } });
  script.wait(minute).end();
}

function generate(id: string, agent: string, what: string, random: () => number, plot: Plot): GeneratedSession {
  const script = new Script(id, random).begin();
  const stuckAt = plot(script);
  const { events, usage } = script;
  return { id, agent, what, events, usage, ...(stuckAt === undefined ? {} : { stuckAt }) };
}

/** Generates 30 sessions that get stuck, 70 healthy sessions, and past sessions of the same agents. */
export function generateSessions(seed: number): {
  readonly past: readonly GeneratedSession[];
  readonly current: readonly GeneratedSession[];
} {
  const random = randomOf(seed);
  const usual: Plot = script => void script.work(4).end();
  const slow: Plot = script =>
    void script
      .work(1)
      .wait(script.between(12.5, 14) * minute)
      .say('Now I know.')
      .work(1)
      .end();
  const past = Array.from({ length: 20 }, (_, at) =>
    generate(`past${at}`, at % 2 === 0 ? 'usual' : 'slow', 'past', random, at % 2 === 0 ? usual : slow),
  );
  const all = [
    ...stuck.flatMap(([what, count, plot]) => Array.from({ length: count }, () => ({ what, plot }))),
    ...healthy.flatMap(([what, count, plot]) =>
      Array.from({ length: count }, () => ({ what, plot: (script: Script) => void plot(script) })),
    ),
  ];
  const current = all.map(({ what, plot }, at) =>
    generate(`sesn_${at}`, what.startsWith('thinks long') ? 'slow' : 'usual', what, random, plot),
  );
  return { past, current };
}
