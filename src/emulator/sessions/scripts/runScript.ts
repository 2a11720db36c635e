import { ownValue } from '../../../shared/isRecord';
import type { Line } from '../line';
import type { StoredCall } from '../lineCalls';
import { type SentEvent, textOf } from '../sentEvents';
import type { OpenCall } from '../sessionRecord';
import { answerScripts } from './answerScripts';
import { delegationScripts } from './delegationScripts';
import { failureScripts } from './failureScripts';
import { oddityScripts } from './oddityScripts';
import type { Script, Scripts } from './script';
import { builtin, toolScripts, useTools } from './toolScripts';

const help: Script = {
  what: 'lists these words',
  run: line => {
    const rows = Object.entries(scripts).map(([word, script]) => `| \`${headOf(word, script)}\` | ${script.what} |`);
    return line.reply(`Begin a message with one of these words:\n\n| word | what happens |\n|---|---|\n${rows.join('\n')}`);
  },
};

/** All scripts, in the order in which they are listed. */
export const scripts: Scripts = {
  help,
  ...answerScripts,
  ...toolScripts,
  ...delegationScripts,
  ...failureScripts,
  ...oddityScripts,
};

function headOf(word: string, { takes }: Script): string {
  return takes === undefined ? word : `${word} ${takes}`;
}

/** Returns the trigger words as lines for people: the word, its arguments, and the effect. */
export function triggerWords(): readonly string[] {
  const rows = Object.entries(scripts).map(([word, script]) => [headOf(word, script), script.what] as const);
  const width = Math.max(...rows.map(([head]) => head.length));
  return rows.map(([head, what]) => `${head.padEnd(width)}  ${what}`);
}

/**
 * Runs the script of each event in order. A message is matched by its first word. If that is not a trigger word, the `emulator_script` of the
 * agent's metadata runs, or else a plain answer lists the words.
 */
export async function runScript(main: Line, events: readonly SentEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type === 'user.define_outcome') {
      await workOnOutcome(main);
    } else if (event.type === 'user.message') {
      const text = textOf(event.content).trim();
      const { script, rest } = scriptFor(text, main.session.record.agent.metadata);
      await (script === undefined ? plainAnswer(main, text) : script.run(main, rest));
    }
  }
}

/** Answers a message without a trigger word: thinks, repeats the message, and lists the trigger words. */
async function plainAnswer(line: Line, text: string): Promise<void> {
  const asked = text.length > 200 ? `${text.slice(0, 200)}...` : text;
  const words = Object.keys(scripts)
    .map(word => `\`${word}\``)
    .join(', ');
  await line.request(async () => {
    await line.think();
    await line.say(`You wrote: ${asked === '' ? 'nothing that can be read' : `"${asked}"`}`);
  });
  await line.reply(
    `This is the emulator: nothing was looked up and nothing was changed. Begin a message with one of these words to see more: ${words}.`,
  );
}

function scriptFor(
  text: string,
  metadata: Readonly<Record<string, string>>,
): { readonly script: Script | undefined; readonly rest: string } {
  const [, first = '', rest = ''] = /^\W*([\w-]+)\W?\s*([\s\S]*)$/.exec(text) ?? [];
  const named = ownValue(scripts, first.toLowerCase());
  return named === undefined ? { script: ownValue(scripts, metadata.emulator_script), rest: text } : { script: named, rest };
}

/** Handles the answers to calls that were pending when the emulator was stopped: their results, and a message at the end. */
export async function resumeCalls(main: Line, calls: readonly OpenCall[]): Promise<void> {
  const threads = [...new Set(calls.map(call => call.threadId))];
  let runningCount = threads.length;
  await Promise.all(
    threads.map(async threadId => {
      const line = threadId === main.thread.id ? main : main.turn.line(threadId);
      const pending = calls.filter(call => call.threadId === threadId).map(toStoredCall);
      line.calls.adopt(pending);
      await line.calls.finish(pending);
      runningCount--;
      if (runningCount === 0) {
        main.turn.wake(main);
      }
      if (line !== main) {
        main.turn.rest(line, { type: 'end_turn' });
      }
    }),
  );
  main.session.closeOutcome('interrupted', 'The emulator was stopped before it was judged.');
  await main.reply('The emulator was started again in between. The call has its result; tell me how to go on.');
}

function toStoredCall({ threadId: _, waitsFor, ...call }: OpenCall): StoredCall {
  return { ...call, permission: waitsFor === 'permission' ? 'ask' : 'allow' };
}

/**
 * Works on the defined outcome and has it evaluated after each attempt. The second attempt satisfies it, unless the description contains a
 * keyword: `never` (all attempts are used up), `first` (satisfied immediately) or `fail` (can't be evaluated).
 */
async function workOnOutcome(line: Line): Promise<void> {
  const outcome = line.session.record.outcomes.find(({ completedAt }) => completedAt === null);
  if (outcome === undefined) {
    return;
  }
  const { id, description, maxIterations } = outcome;
  const wanted = /\bnever\b/i.test(description) ? Number.POSITIVE_INFINITY : /\bfirst\b/i.test(description) ? 1 : 2;
  const fails = /\bfail/i.test(description);
  for (let iteration = 1; ; iteration++) {
    Object.assign(outcome, { iteration, result: 'running' });
    await useTools(line, `Try ${iteration} of at most ${maxIterations}: ${description}`, [
      builtin('bash', { command: 'npm test' }, `${iteration} of 2 tests pass\n`),
    ]);
    const start = line.emit('span.outcome_evaluation_start', { iteration, outcome_id: id });
    Object.assign(outcome, { result: 'evaluating' });
    await line.pause();
    line.emit('span.outcome_evaluation_ongoing', { iteration, outcome_id: id });
    await line.pause();
    const result = fails
      ? 'failed'
      : iteration >= wanted
        ? 'satisfied'
        : iteration >= maxIterations
          ? 'max_iterations_reached'
          : 'needs_revision';
    const explanation = explanations[result];
    line.emit('span.outcome_evaluation_end', {
      outcome_evaluation_start_id: start,
      iteration,
      outcome_id: id,
      result,
      explanation,
      usage: { input_tokens: 220, output_tokens: 48, cache_creation_input_tokens: 0, cache_read_input_tokens: 1800 },
    });
    if (result !== 'needs_revision') {
      line.session.closeOutcome(result, explanation);
      await line.reply(`The outcome is judged: **${result}**. ${explanation}`);
      return;
    }
    Object.assign(outcome, { explanation });
  }
}

const explanations = {
  satisfied: 'Every point of the rubric is met.',
  max_iterations_reached: 'The tries are used up; the second point of the rubric is not met.',
  failed: 'The rubric could not be applied to what was made.',
  needs_revision: 'The second point of the rubric is not met yet.',
} as const;
