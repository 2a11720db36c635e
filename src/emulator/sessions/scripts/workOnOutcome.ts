import type { Line } from '../line';
import { builtin, useTools } from './toolScripts';

/**
 * Works on the defined outcome and has it evaluated after each attempt. The second attempt satisfies it, unless the description contains a
 * keyword: `never` (all attempts are used up), `first` (satisfied immediately) or `fail` (can't be evaluated).
 */
export async function workOnOutcome(line: Line): Promise<void> {
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
