import { type Money, tokenBuckets } from '../../../shared/session/facts/tokens';
import { toFence, toPlainLine, toQuotedMarkdown } from '../../../shared/session/rows/markdownText';
import { noteTitle } from '../../../shared/session/rows/noteEvents';
import type { OutcomeRow, Part, Row, TokenBuckets, ToolRow } from '../../../shared/session/rows/rows';
import { nextWords, outcomeWords, permissionWords, runWords, statusWords, toolStateWords } from '../../../shared/session/rows/rowWords';
import type { SessionView } from '../../../shared/session/sessionView';
import type { ThreadView } from '../../../shared/session/threadViews';
import { Transcript } from '../../../shared/session/transcript';
import { inEnglish } from '../../../shared/session/translateText';
import { toByteSize } from '../../../shared/text';
import type { ExportHeader, ExportLog } from '../facts/sessionJsonl';
import { createSessionView } from '../live/createSessionView';

/**
 * Yields a session as readable Markdown: its facts, then all events in order, with tools, thinking and the logs of other threads. Content
 * of agents and tools can't create HTML, load anything, or imitate the document's structure. Messages are block quotes. All other content
 * is fenced or escaped.
 */
export function* exportMarkdown(header: ExportHeader, logs: Iterable<ExportLog>): Generator<string> {
  const [own = { thread: '', events: [] }, ...others] = logs;
  const transcript = createTranscript(own);
  const view = createSessionView(header, transcript.state());
  yield toHead(header, view);
  const written = new Set<string>();
  for (const row of transcript.wholeRows()) {
    yield toSection(row, 2);
    const log = row.kind === 'thread' && row.step === 'created' ? others.find(({ thread }) => thread === row.otherThread) : undefined;
    if (log !== undefined) {
      written.add(log.thread);
      yield* toThread(log, view.threads);
    }
  }
  for (const log of others) {
    if (!written.has(log.thread)) {
      yield* toThread(log, view.threads);
    }
  }
}

function createTranscript({ thread, events }: ExportLog): Transcript {
  const transcript = new Transcript(thread);
  transcript.append([...events]);
  return transcript;
}

function* toThread(log: ExportLog, threads: readonly ThreadView[]): Generator<string> {
  const name = threads.find(({ id }) => id === log.thread)?.name ?? log.thread;
  yield `## Thread ${toPlainLine(name)}\n\n`;
  for (const row of createTranscript(log).wholeRows()) {
    yield toSection(row, 3);
  }
  yield `*End of thread ${toPlainLine(name)}*\n\n`;
}

function toHead(header: ExportHeader, view: SessionView): string {
  const { agent, tokens, cost, budget } = view;
  const facts = toList([
    ['Session', view.id],
    ['State', statusWords(view, inEnglish)],
    ['Agent', agent && `${agent.name} ${agent.version === undefined ? '' : `v${agent.version} `}(${agent.id})`],
    ['Model', agent?.model],
    ['Environment', view.environmentId],
    ['Created', toTime(view.createdAt)],
    ['Last activity', toTime(view.updatedAt)],
    ['Active', view.activeSeconds === undefined ? undefined : `${view.activeSeconds} s`],
    ['Tokens', toTokenWords(tokens)],
    ['Cost', toAmount(cost)],
    ['Budget', budget && 'json' in budget ? budget.json : toAmount(budget)],
    ['Threads', view.threads.length > 1 ? view.threads.map(({ name }) => name).join(', ') : undefined],
    ['Exported', header.exportedAt],
    ['Source', header.source],
    ['Filtered', header.filtered && JSON.stringify(header.filtered)],
  ]);
  return `# ${toPlainLine(view.title || view.id || 'Session')}\n\n${facts || '\n'}`;
}

function toSection(row: Row, level: number): string {
  const at = toTime(row.at);
  const time = at === undefined ? '' : ` · ${at}`;
  const thread = row.thread === undefined ? '' : ` · thread ${toPlainLine(row.thread)}`;
  const [heading, body] = describe(row);
  return `${'#'.repeat(level)} ${heading}${time}${thread}\n\n${body}`;
}

function describe(row: Row): readonly [heading: string, body: string] {
  switch (row.kind) {
    case 'user':
      return [row.type === 'user.message' ? 'User' : `User: ${toPlainLine(row.type)}`, toMessage(row.parts)];
    case 'agent':
      return ['Agent', toMessage(row.parts)];
    case 'system':
      return ['System', toMessage(row.parts)];
    case 'thinking':
      return ['Thinking', toMessage(row.parts)];
    case 'thread':
      return [`Thread ${row.step}: ${toPlainLine(row.agentName || row.otherThread)}`, toMessage(row.parts)];
    case 'tool':
      return [`Tool ${toPlainLine(row.server === undefined ? row.name : `${row.server}: ${row.name}`)}`, toToolBody(row)];
    case 'status': {
      const facts = toList([
        ['Reason', row.status === 'idle' ? undefined : row.stopReason],
        ['Agent', row.agentName],
      ]);
      return [toPlainLine(statusWords(row, inEnglish)), facts];
    }
    case 'error': {
      const next = toList([['What happens next', nextWords(row.retry, inEnglish)]]);
      return [`Error: ${toPlainLine(row.errorType)}`, `${toFence(row.message)}\n\n${next}${toPart(row.details)}`];
    }
    case 'outcome':
      return [toPlainLine(outcomeWords(row, inEnglish)), toOutcomeBody(row)];
    case 'model': {
      const facts = toList([
        ['Duration', toDuration(row.durationMs)],
        ['Tokens', toTokenWords(row.tokens)],
        ['Failed', row.isError ? 'yes' : undefined],
      ]);
      return ['Model request', facts];
    }
    case 'note':
      return [noteTitle(row, inEnglish), toPart(row.details)];
    case 'usage': {
      const facts = toList([
        ['Tokens', toTokenWords(row.tokens)],
        ['Cost', toAmount(row.cost)],
      ]);
      return ['Usage', `${facts}${toPart(row.details)}`];
    }
    case 'update':
      return ['Session updated', toPart(row.details)];
    case 'run': {
      const state = row.result === undefined ? undefined : toPlainLine(runWords(row.result, inEnglish));
      return [`Workflow run ${toPlainLine(row.name)}`.trim(), toList([['State', state]])];
    }
    case 'gap':
      return ['Events may be missing here', toList([['Problem', row.problem]])];
    case 'unknown':
      return [toPlainLine(row.type || 'unknown'), toPart(row.json)];
  }
}

function toMessage(parts: readonly Part[]): string {
  return parts.map(part => (part.type === 'text' ? `${toQuotedMarkdown(part.text)}\n` : toPart(part))).join('');
}

function toToolBody(row: ToolRow): string {
  const { permission, confirmation, durationMs, waitMs, input, result } = row;
  const answer = confirmation === undefined ? undefined : [confirmation.result, confirmation.denyMessage].filter(Boolean).join(': ');
  const facts = toList([
    ['State', toolStateWords(row, inEnglish)],
    ['Permission', permission === undefined ? undefined : permissionWords(permission, inEnglish)],
    ['Answer', answer],
    ['Waited', toDuration(waitMs)],
    ['Ran', toDuration(durationMs)],
  ]);
  const output = result === undefined ? '' : `Result${result.isError ? ' (error)' : ''}:\n\n${result.parts.map(toPart).join('')}`;
  return `${facts}${input.type === 'json' && input.text !== '' ? `Input:\n\n${toPart(input)}` : ''}${output}`;
}

function toOutcomeBody(row: OutcomeRow): string {
  const facts = toList([
    ['Outcome', row.outcomeId],
    ['Iteration', row.iteration?.toString()],
    ['At most', row.maxIterations?.toString()],
    ['Result', row.result],
  ]);
  const said = [row.description, row.explanation].filter(text => text !== undefined && text !== '');
  const rubric = row.rubric && `Rubric:\n\n${toPart(row.rubric)}`;
  return `${facts}${said.map(text => `${toQuotedMarkdown(text ?? '')}\n`).join('')}${rubric ?? ''}`;
}

function toPart(part: Part | undefined): string {
  switch (part?.type) {
    case undefined:
      return '';
    case 'text':
      return `${toFence(part.text, 'text')}\n\n`;
    case 'json':
      return `${toFence(part.text, 'json')}\n\n`;
    case 'image':
      return `Image ${toPlainLine(part.name)}${toSize(part.bytes)}\n\n`;
    case 'document':
      return `Document ${toPlainLine(`${part.title} ${part.source}`)}${toSize(part.bytes)}\n\n${
        part.text === undefined ? '' : `${toFence(part.text, 'text')}\n\n`
      }`;
    case 'redacted':
      return 'Redacted\n\n';
  }
}

function toSize(bytes: number | undefined): string {
  return bytes === undefined ? '' : `, ${toByteSize(bytes, 'en')}`;
}

function toList(facts: readonly (readonly [string, string | undefined])[]): string {
  const lines = facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`- ${name}: ${toPlainLine(value, 2000)}\n`]));
  return lines.length === 0 ? '' : `${lines.join('')}\n`;
}

function toTime(at: number | undefined): string | undefined {
  return at === undefined || Math.abs(at) > 8.64e15 ? undefined : new Date(at).toISOString();
}

function toDuration(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : `${ms} ms`;
}

function toAmount(money: Money | undefined): string | undefined {
  return money && `${(money.cents / 100).toFixed(2)} ${money.currency}`;
}

function toTokenWords(tokens: TokenBuckets | undefined): string {
  const names = { input: 'input', output: 'output', cacheRead: 'cache read', cacheWrite: 'cache write' };
  const counted = tokenBuckets.filter(bucket => tokens?.[bucket] !== undefined);
  return counted.map(bucket => `${tokens?.[bucket]} ${names[bucket]}`).join(', ');
}
