import assert from 'node:assert/strict';
import { serverStyleNames } from '../../../src/emulator/http/serverStyle';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { scripts } from '../../../src/emulator/sessions/scripts/runScript';
import type { TranscriptEvent } from '../../../src/shared/session/event';
import { Transcript } from '../../../src/shared/session/transcript';
import { call, type ReadEvent, SessionOnEmulator } from '../../helpers/emulatorClient';
import { assertStates } from '../../unit/shared/session/rowStates';

/** Replacements for script words that take long or have no effect without parameters. */
const said: Readonly<Record<string, readonly string[]>> = {
  delegate: ['delegate', 'delegate ask', 'delegate both ask'],
  huge: ['huge 0.01'],
  long: ['long 200'],
  slow: ['slow 1'],
  steps: ['steps 2'],
  storm: ['storm 0 100'],
};
const all = Object.keys(scripts).flatMap(word => said[word] ?? [word]);
const asking = ['ask', 'two', 'mcp', 'custom', 'delegate ask', 'delegate both ask'];

type Answer = 'allow' | 'deny' | 'interrupt';

/** Ways to answer asks, with the script words to test. The last answer repeats. */
const manners: readonly (readonly [name: string, answers: readonly Answer[], words: readonly string[]])[] = [
  ['allowed one by one', ['allow'], all],
  ['denied and allowed', ['deny', 'allow'], asking],
  ['interrupted after the first answer', ['allow', 'interrupt'], asking],
  ['interrupted at once', ['interrupt'], asking],
];

/** Builds the transcript of a log, event by event. */
function transcriptOf(events: readonly ReadEvent[], thread = ''): Transcript {
  const transcript = new Transcript(thread);
  for (const event of events) {
    transcript.append([event as TranscriptEvent]);
    assertStates(transcript);
  }
  return transcript;
}

function statesOf({ rows }: Transcript): readonly string[] {
  return rows.flatMap(row => (row.kind === 'tool' ? [row.state] : []));
}

for (const serverStyle of serverStyleNames) {
  describe(`shared/session: rows of what agents do on a service like ${serverStyle}`, () => {
    let emulator: Emulator;

    before(async () => {
      emulator = await startEmulator({ scenario: { sessionPause: 0, serverStyle } });
    });
    after(() => emulator.stop());

    /** Sends answers until no ask is open. Returns the log. */
    async function answer(session: SessionOnEmulator, answers: readonly Answer[]): Promise<Transcript> {
      for (let given = 0; ; ) {
        await emulator.advanceClock(120_000);
        const { status } = await session.retrieve();
        const transcript = transcriptOf(await session.events());
        const [ask] = transcript.state().asks;
        if (ask === undefined) {
          // The agent may still be writing files, which doesn't depend on the emulator's clock.
          if (status === 'idle' || status === 'terminated') {
            return transcript;
          }
          continue;
        }
        const result = answers[Math.min(given++, answers.length - 1)];
        const custom = { type: 'user.custom_tool_result', custom_tool_use_id: ask.eventId, content: [{ type: 'text', text: 'Yes.' }] };
        const permission = { type: 'user.tool_confirmation', tool_use_id: ask.eventId, result };
        await session.send(result === 'interrupt' ? { type: 'user.interrupt' } : ask.kind === 'customTool' ? custom : permission);
      }
    }

    for (const [name, answers, words] of manners) {
      it(`never stay running after their turn has ended: ${name}`, async () => {
        for (const text of words) {
          const session = await SessionOnEmulator.start(emulator, 'Researcher');
          await session.say(text);
          const states = statesOf(await answer(session, answers));
          const mayBe = answers.includes('interrupt')
            ? ['done', 'failed', 'denied', 'interrupted', 'elsewhere']
            : ['done', 'failed', 'denied', 'elsewhere'];
          assert.deepEqual(
            states.filter(state => !mayBe.includes(state)),
            [],
            text,
          );
          for (const thread of await childrenOf(emulator, session.id)) {
            const own = statesOf(transcriptOf(await session.events('order=asc', thread), thread));
            assert.deepEqual(
              own.filter(state => !['done', 'failed', 'denied'].includes(state)),
              [],
              text,
            );
          }
        }
      });
    }
  });
}

async function childrenOf(emulator: Emulator, id: string): Promise<readonly string[]> {
  const { json } = await call(emulator, 'GET', `/v1/sessions/${id}/threads?beta=true`);
  const threads: { id: string; parent_thread_id: string | null }[] = json.data;
  return threads.filter(({ parent_thread_id }) => parent_thread_id !== null).map(thread => thread.id);
}
