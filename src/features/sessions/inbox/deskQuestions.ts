import type { Translate } from '../../../common/text/translate';
import { defined } from '../../../shared/defined';
import type { LeftEntry, QuestionEntry } from '../../../shared/inbox/inboxProtocol';
import { textOfMessage } from '../../../shared/session/rows/parts';
import { toLabel } from '../../../shared/text';
import type { AskedQuestion, Needs } from '../facts/needs';
import type { SendResult } from '../live/conversation';
import type { AskSources } from './askSources';
import { idOfAsk, toLeftQuestionWords } from './inboxEntries';
import type { Memento } from 'vscode';

export interface DeskQuestionsOptions {
  readonly sources: Pick<AskSources, 'find'>;
  readonly waiting: Pick<Needs, 'questions'>;
  readonly dismissed: Pick<DismissedQuestions, 'has' | 'add'>;
  readonly t: Translate;
}

type Source = NonNullable<ReturnType<AskSources['find']>>;

/** Maximum length of a shown message, in characters. Its end is shown, because the question is there. */
const longestQuestion = 20_000;

/** Questions in the inbox: sessions that asked something, or seem stuck. Only that on the card is read, and its state wins. */
export class DeskQuestions {
  private asked: ReadonlyMap<string, AskedQuestion> = new Map();
  /** Questions that were answered from here. */
  private readonly answered = new Set<string>();
  private readonly sending = new Set<string>();
  private shown: string | undefined;

  constructor(private readonly options: DeskQuestionsOptions) {}

  find(id: string): AskedQuestion | undefined {
    return this.asked.get(id);
  }

  setShown(id: string | undefined): void {
    this.shown = id;
  }

  /** Removes a question from the inbox until its session asks another one. */
  dismiss(id: string): void {
    this.options.dismissed.add(id);
    this.asked = new Map([...this.asked].filter(([other]) => other !== id));
  }

  entries(): readonly QuestionEntry[] {
    return [...this.asked].map(([id, question]) => this.toEntry(id, question));
  }

  /** Updates the questions. Returns those that disappeared without an answer or a dismissal from here, with the reason. */
  update(): readonly LeftEntry[] {
    const { waiting, dismissed } = this.options;
    const before = this.asked;
    const known = new Map(waiting.questions().map(question => [idOfAsk(question, question.eventId), question] as const));
    const last = this.shown === undefined ? undefined : before.get(this.shown);
    if (this.shown !== undefined && last !== undefined && last.problem === undefined && !known.has(this.shown)) {
      known.set(this.shown, last);
    }
    this.asked = new Map([...known].filter(([id, question]) => !dismissed.has(id) && this.isOpen(id, question)));
    return [...before]
      .filter(([id]) => !this.asked.has(id) && !this.answered.has(id) && !dismissed.has(id))
      .map(([id, question]) => ({ id, words: this.toLeftWords(question) }));
  }

  /** Sends a reply to the session that asked, once. If nothing was sent, the result says why. */
  async reply(id: string, clientId: string, text: string): Promise<SendResult> {
    const question = this.asked.get(id);
    const source = question && this.options.sources.find(question);
    if (question === undefined || source === undefined || !asksStill(source, question)) {
      return { ok: false, problem: this.toLeftWords(question) };
    }
    this.sending.add(id);
    return this.noteAnswer(id, source, await source.actions.sendMessage(clientId, text).finally(() => this.sending.delete(id)));
  }

  /** Ends the turn of a session that seems stuck. Returns `undefined` if there is none. */
  async interrupt(id: string): Promise<SendResult | undefined> {
    const question = this.asked.get(id);
    const source = question && this.options.sources.find(question);
    return source && this.noteAnswer(id, source, await source.actions.interrupt(undefined));
  }

  private noteAnswer(id: string, { session }: Source, result: SendResult): SendResult {
    if (result.ok) {
      this.answered.add(id);
      session.readSoon();
    }
    return result;
  }

  private toLeftWords(question: AskedQuestion | undefined): string {
    const { sources, t } = this.options;
    const session = question && sources.find(question)?.session;
    const goesOn = question?.problem !== undefined && (session === undefined || runs(session));
    return goesOn ? t('The session continues.') : toLeftQuestionWords(session, question?.eventId, t);
  }

  private isOpen(id: string, question: AskedQuestion): boolean {
    if (this.answered.has(id)) {
      return false;
    }
    const source = id === this.shown ? this.options.sources.find(question) : undefined;
    return this.sending.has(id) || source?.isRead !== true || asksStill(source, question);
  }

  private toEntry(id: string, { connection, sessionId, name, agent, eventId, at, problem }: AskedQuestion): QuestionEntry {
    const source = id === this.shown ? this.options.sources.find({ connection, sessionId }) : undefined;
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
}

function asksStill({ session }: Source, { eventId, problem }: AskedQuestion): boolean {
  const { view } = session;
  return problem !== undefined ? runs(session) : view.rest?.kind === 'asked' && view.rest.eventId === eventId;
}

function runs({ view: { state } }: Source['session']): boolean {
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
