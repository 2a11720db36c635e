import { createHash } from 'node:crypto';
import type { Translate } from '../../../common/text/translate';
import type { SessionReference } from '../../../contributions';
import { defined } from '../../../shared/defined';
import type { InboxEntry, QuestionEntry } from '../../../shared/inbox/inboxProtocol';
import { isRecord } from '../../../shared/isRecord';
import { canonical } from '../../../shared/schema/jsonValues';
import type { TranscriptEvent } from '../../../shared/session/event';
import { isRunning } from '../../../shared/session/facts/sessionState';
import type { Ask } from '../../../shared/session/openAsks';
import { textOfMessage } from '../../../shared/session/rows/parts';
import type { SessionView } from '../../../shared/session/sessionView';
import { toLabel } from '../../../shared/text';
import type { AskedQuestion } from '../facts/needs';
import type { ConversedSession } from '../live/conversation';
import type { AuditedDecision } from '../rules/auditFile';
import type { InboxSource } from './askSources';

/** Returns the ID of an ask in the inbox. It stays the same across reloads. */
export function idOfAsk({ connection, sessionId }: SessionReference, eventId: string): string {
  return digestOf([connection, sessionId, eventId]);
}

/** Returns an ask as the inbox shows it. */
export function toEntry(
  id: string,
  ask: Ask,
  session: Pick<ConversedSession, 'reference' | 'view' | 'transcript'>,
  problem: string | undefined,
): InboxEntry {
  const { reference, view } = session;
  const { kind, tool, server, thread, input } = ask;
  return {
    // `rowKey` is '' if the log has no row of the call.
    ask: { ...ask, eventId: id, rowKey: ask.rowKey === '' ? ask.eventId : ask.rowKey },
    fingerprint: digestOf([kind, tool, server, thread, input]),
    title: view.title || view.firstWords || toLabel(reference.sessionId, 60),
    sessionId: reference.sessionId,
    agent: view.agent?.name ?? '',
    connection: toLabel(reference.connection, 60),
    ...(kind === 'confirmation' && 'text' in input && isIrreversible(tool, input.text ?? '') ? { isIrreversible: true } : {}),
    ...(view.title === '' || view.firstWords === '' || view.firstWords === view.title ? {} : { task: view.firstWords }),
    ...defined({ equalKey: equalKeyOf(ask, reference, view.agent), said: lastWords(session) || undefined, problem }),
  };
}

/** Returns the end of the agent's last message, at most 2,000 characters. Returns '' if the message was not read. */
function lastWords(session: Pick<ConversedSession, 'transcript'>): string {
  const message = session.transcript('')?.events.findLast(({ type }) => type === 'agent.message');
  return (message === undefined ? '' : textOfMessage(message.content)).trim().slice(-2000);
}

/** Describes how a rule answered an ask. */
export function toRuledWords({ ruleName, result }: Pick<AuditedDecision, 'ruleName' | 'result'>, t: Translate): string {
  const name = toLabel(ruleName);
  return result === 'allow' ? t('The rule "{0}" allowed it.', name) : t('The rule "{0}" denied it.', name);
}

/** Describes why an ask or a question is no longer open although nobody answered it here. */
export function toLeftWords(session: Pick<ConversedSession, 'view' | 'transcript'> | undefined, eventId: string, t: Translate): string {
  switch (session?.view.state) {
    case 'archived':
      return t('This session is archived.');
    case 'terminated':
      return t('The session has ended.');
    case 'deleted':
      return t('The session was deleted.');
    default:
      return isAnswered(session?.transcript('')?.events ?? [], eventId)
        ? t('It was answered elsewhere.')
        : t('It no longer needs an answer.');
  }
}

/** Returns whether events answer a call, or a message with a question. */
function isAnswered(events: readonly TranscriptEvent[], eventId: string): boolean {
  const index = events.findIndex(({ id }) => id === eventId);
  const isQuestion = events[index]?.type === 'agent.message';
  return events.slice(index + 1).some(({ type, tool_use_id, custom_tool_use_id }) => {
    const isAnswer = type === 'user.tool_confirmation' ? tool_use_id === eventId : custom_tool_use_id === eventId;
    return isQuestion ? type === 'user.message' : isAnswer && type.startsWith('user.');
  });
}

/** Maximum length of a shown message, in characters. The end of a longer message is shown, because the question is there. */
const longestQuestion = 20_000;

/** Returns a question as the inbox shows it. `source` is only given for the question on the card. */
export function toQuestionEntry(
  id: string,
  { connection, sessionId, name, agent, eventId, at, problem }: AskedQuestion,
  source: InboxSource | undefined,
): QuestionEntry {
  const event = source?.session.transcript('')?.eventOf(eventId);
  const text = event && textOfMessage(event.content);
  const shown = text === undefined ? {} : { text: text.slice(-longestQuestion), isCut: text.length > longestQuestion };
  return {
    ...{ id, sessionId, connection: toLabel(connection, 60), agent: toLabel(agent ?? '', 60) },
    title: toLabel((name ?? sessionId).replace(/\s+/g, ' '), 60),
    ...shown,
    ...defined({ at, stuck: problem, problem: source?.problem }),
  };
}

/** Returns whether a session still asks its question, or still seems stuck. */
export function asksStill({ session }: InboxSource, { eventId, problem }: AskedQuestion): boolean {
  const { view } = session;
  return problem !== undefined ? isRunning(view.state) : view.rest?.kind === 'asked' && view.rest.eventId === eventId;
}

/** Describes why a question is no longer open. `source` is the source of its session, if the session has a source. */
export function toGoneWords({ eventId, problem }: AskedQuestion, source: InboxSource | undefined, t: Translate): string {
  const goesOn = problem !== undefined && (source === undefined || isRunning(source.session.view.state));
  return goesOn ? t('The session continues.') : toLeftWords(source?.session, eventId, t);
}

/** Returns a key that is equal for asks of one agent for one tool with equal arguments. `undefined` if the exact arguments are unknown. */
function equalKeyOf(
  { kind, tool, server, thread, threadName, input }: Ask,
  { connection }: SessionReference,
  agent: SessionView['agent'],
): string | undefined {
  const isWhole = 'text' in input && !('cut' in input && input.cut !== undefined);
  const isAgentKnown = agent !== undefined && (thread === undefined || threadName !== undefined);
  if (kind !== 'confirmation' || !isAgentKnown || !isWhole) {
    return undefined;
  }
  try {
    const given: unknown = JSON.parse(input.text ?? '', mustBeExact);
    return digestOf([connection, agent.id, agent.name, threadName, tool, server, canonical(given)]);
  } catch {
    return undefined;
  }
}

function mustBeExact(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError('Unknown number format.');
  }
  return value;
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/** Words of commands that delete, push, publish or deploy. They only sort the inbox. A command without these words merely comes later. */
const words = new Set(
  'rm rmdir unlink shred dd mkfs truncate -delete push publish upload deploy destroy delete drop terminate uninstall --hard -xdelete -xpost -xput -xpatch post put patch'.split(
    ' ',
  ),
);
const afterProgram: readonly (readonly [program: string, word: string])[] = [
  ['git', 'clean'],
  ['terraform', 'apply'],
  ['kubectl', 'apply'],
];
const tool = /delete|remove|destroy|drop|push|publish|deploy|pay|charge|refund|transfer|purchase|order|send|e?mail|merge/i;
const writing = /write|edit|create|patch|replace|move|rename/i;

/** Returns whether a call clearly can't be undone, by its tool and arguments. It deletes, pushes, pays, or writes outside the workspace. */
export function isIrreversible(name: string, argumentsText: string): boolean {
  const input = parse(argumentsText);
  if (name !== 'bash' && tool.test(name)) {
    return true;
  }
  const texts = Object.entries(isRecord(input) ? input : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (texts.some(([field, text]) => /^(?:command|cmd|script|sql|query)$/.test(field) && isIrreversibleCommand(text))) {
    return true;
  }
  return writing.test(name) && texts.some(([field, text]) => /path|file|folder|target/i.test(field) && isOutside(text));
}

function isIrreversibleCommand(text: string): boolean {
  const found = new Set(text.toLowerCase().split(/[\s;&|()`"'=]/));
  return (
    [...found].some(word => words.has(word) || (word.split('/').at(-1) ?? '').startsWith('deploy')) ||
    afterProgram.some(([program, word]) => found.has(program) && found.has(word))
  );
}

function isOutside(path: string): boolean {
  return (
    path.split(/[\\/]/).includes('..') ||
    path.startsWith('~') ||
    (/^(?:\/|[A-Za-z]:)/.test(path) && !/^\/(?:workspace|tmp|mnt)\//.test(path))
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The arguments were cut, so only their start is known.
    return { command: json };
  }
}
