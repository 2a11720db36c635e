import type { Translate } from '../../../common/text/translate';
import { defined } from '../../../shared/defined';
import type { QuestionEntry } from '../../../shared/inbox/inboxProtocol';
import { textOfMessage } from '../../../shared/session/rows/parts';
import { toLabel } from '../../../shared/text';
import type { AskedQuestion } from '../facts/needs';
import type { InboxSource } from './askSources';
import { toLeftWords } from './inboxEntries';
import type { Memento } from 'vscode';

/** Maximum length of a shown message, in characters. Its end is shown, because the question is there. */
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
  return problem !== undefined ? runs(session) : view.rest?.kind === 'asked' && view.rest.eventId === eventId;
}

/** Describes why a question is no longer open. `source` is that of its session, if the inbox has one. */
export function toGoneWords({ eventId, problem }: AskedQuestion, source: InboxSource | undefined, t: Translate): string {
  const goesOn = problem !== undefined && (source === undefined || runs(source.session));
  return goesOn ? t('The session continues.') : toLeftWords(source?.session, eventId, t);
}

function runs({ view: { state } }: InboxSource['session']): boolean {
  return state === 'running' || state === 'rescheduling';
}

/** Questions that the user dismissed from the inbox, by their IDs there, saved for this workspace. Limited in number. */
export class DismissedQuestions {
  private readonly ids: Set<string>;

  constructor(
    private readonly memento: Pick<Memento, 'get' | 'update'>,
    private readonly onAdd: () => void = () => undefined,
  ) {
    const saved: unknown = memento.get(key);
    this.ids = new Set(Array.isArray(saved) ? saved.filter(id => typeof id === 'string') : []);
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(id: string): void {
    this.ids.add(id);
    for (const oldest of [...this.ids].slice(0, -maxSaved)) {
      this.ids.delete(oldest);
    }
    // A failed write shows the question again after a reload, which is harmless.
    this.memento.update(key, [...this.ids]).then(undefined, () => undefined);
    this.onAdd();
  }
}

const key = 'managedAgents.dismissedQuestions';
const maxSaved = 500;
