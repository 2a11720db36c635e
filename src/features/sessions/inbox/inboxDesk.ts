import type { Disposable } from 'vscode';
import { atMost } from '../../../common/atMost';
import type { Clock } from '../../../common/clock';
import { Emitter } from '../../../common/emitter';
import type { Translate } from '../../../common/text/translate';
import type { SessionReference } from '../../../contributions';
import { defined } from '../../../shared/defined';
import type { FromInbox, InboxEntry, InboxView, LeftEntry, OfferedRule } from '../../../shared/inbox/inboxProtocol';
import { eventOfProblem } from '../../../shared/session/facts/progress';
import type { AskedQuestion, Needs } from '../facts/needs';
import type { AskSource, SendResult } from '../live/conversation';
import type { ApprovalRules } from '../rules/approvalRules';
import type { AuditFile } from '../rules/auditFile';
import type { ApprovalRule } from '../rules/ruleFiles';
import type { AskSources } from './askSources';
import type { DismissedQuestions } from './dismissedQuestions';
import { asksStill, idOfAsk, toEntry, toGoneWords, toLeftWords, toQuestionEntry, toRuledWords } from './inboxEntries';

/** State of the search for sessions that need the user. */
export interface SearchState extends Pick<InboxView, 'watched' | 'newest'> {
  readonly isFindingOut: boolean;
}

interface InboxDeskOptions {
  readonly sources: AskSources;
  readonly waiting: Pick<Needs, 'questions'>;
  readonly dismissed: Pick<DismissedQuestions, 'has' | 'add'>;
  /** IDs of postponed asks, in the order of postponing. Kept until the window closes. */
  readonly postponed: Set<string>;
  readonly search: () => SearchState;
  /** Returns the decisions of rules of this machine, once they are loaded. */
  readonly decisions: () => Pick<AuditFile, 'countSince' | 'find'> | undefined;
  readonly canWrite: () => boolean;
  readonly t: Translate;
  readonly clock: Clock;
  readonly lifetime: AbortSignal;
}

/** Open ask in the inbox, and its source. */
export interface DeskAsk {
  readonly source: AskSource;
  /** ID of the ask's event in the service's log. */
  readonly eventId: string;
  readonly entry: InboxEntry;
}

type RuleSuggestion = NonNullable<Awaited<ReturnType<ApprovalRules['suggest']>>>;
type AnswerMessage = Extract<FromInbox, { readonly type: 'confirm' | 'customResult' }>;

/** Milliseconds after which an answered ask is shown again if the ask is still open. */
const shownAgainAfter = 15_000;
const maxLeft = 50;
/** Period over which decisions by rules are counted, in milliseconds. */
const dayMs = 24 * 60 * 60 * 1000;
/** Maximum number of answers that are sent at once. */
const atOnce = 4;

/**
 * Open asks of all known sessions, followed by the questions. Asks that can't be undone come first, then the oldest. A question is a
 * session that asked something, or that seems stuck. Each item is answered once, through the conversation of its session. If an item
 * disappears without an answer from this desk, the desk reports the reason.
 */
export class InboxDesk implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly subscription: Disposable;
  private asks: ReadonlyMap<string, DeskAsk> = new Map();
  private questions: ReadonlyMap<string, AskedQuestion> = new Map();
  /** ID of the question on the card. The sessions of other questions are not read. */
  private shownQuestion: string | undefined;
  private left: readonly LeftEntry[] = [];
  /** Times at which the service accepted answers from here, by item ID, in monotonic milliseconds. */
  private readonly answered = new Map<string, number>();
  private readonly problems = new Map<string, string>();
  private readonly sending = new Set<string>();
  private suggested: { readonly rule: ApprovalRule; readonly offered: OfferedRule } | undefined;

  constructor(private readonly options: InboxDeskOptions) {
    this.subscription = options.sources.onDidChange(() => this.update());
    this.update();
  }

  get view(): InboxView {
    const { sources, search, canWrite, decisions, clock } = this.options;
    const { isFindingOut, ...searched } = search();
    return {
      ...searched,
      entries: this.entries(),
      questions: [...this.questions].map(([id, question]) =>
        toQuestionEntry(id, question, id === this.shownQuestion ? sources.find(question) : undefined),
      ),
      byRules: decisions()?.countSince(clock.now() - dayMs) ?? 0,
      unread: sources.unread,
      left: this.left,
      isRead: sources.isRead && !isFindingOut,
      canWrite: canWrite(),
      ...defined({ suggestion: this.suggested?.offered }),
    };
  }

  find(id: string): DeskAsk | undefined {
    return this.asks.get(id);
  }

  suggest({ rule, scope, allowed, total, tool }: RuleSuggestion): void {
    const trial = this.options.t('You allowed {0} of {1} {2} calls.', allowed, total, tool);
    this.suggested = { rule, offered: { id: rule.id, scope, trial } };
    this.changed.fire();
  }

  /** Removes the suggested rule, and returns it. Does nothing if `id` is the ID of another rule. */
  takeSuggestion(id = this.suggested?.rule.id): ApprovalRule | undefined {
    const rule = this.suggested?.rule;
    if (rule === undefined || rule.id !== id) {
      return undefined;
    }
    this.suggested = undefined;
    this.changed.fire();
    return rule;
  }

  /** Fires `onDidChange` after a change that only affects the view. */
  touch(): void {
    this.changed.fire();
  }

  placeOf(id: string): { readonly reference: SessionReference; readonly eventId: string } | undefined {
    const ask = this.asks.get(id);
    const question = this.questions.get(id);
    const { connection = '', sessionId = '' } = ask?.source.session.reference ?? question ?? {};
    const eventId = ask?.eventId ?? (question?.problem === undefined ? question?.eventId : eventOfProblem(question.problem));
    return eventId === undefined ? undefined : { reference: { connection, sessionId }, eventId };
  }

  setShown(id: string | undefined): void {
    const { sources } = this.options;
    const question = this.questions.get(id ?? '');
    this.shownQuestion = question && id;
    if (question !== undefined) {
      const { connection, sessionId } = question;
      sources.setShown({ connection, sessionId }, true);
    } else {
      sources.setShown(this.asks.get(id ?? '')?.source.session.reference);
    }
  }

  /** Moves an ask to the end until the window closes. Dismisses a question until its session asks another question. */
  postpone(id: string): void {
    const { postponed, dismissed } = this.options;
    if (this.questions.has(id)) {
      dismissed.add(id);
      this.questions = new Map([...this.questions].filter(([other]) => other !== id));
    } else {
      postponed.delete(id);
      postponed.add(id);
    }
    this.changed.fire();
  }

  async reply({ id, clientId, text }: Extract<FromInbox, { readonly type: 'reply' }>): Promise<SendResult> {
    const { sources, t } = this.options;
    const question = this.questions.get(id);
    if (question === undefined) {
      return { ok: false, problem: this.whyGone(id) };
    }
    const source = sources.find(question);
    return source !== undefined && asksStill(source, question)
      ? await this.send(id, () => source.actions.sendMessage(clientId, text))
      : { ok: false, problem: toGoneWords(question, source, t) };
  }

  /** Ends the turn of a session that seems stuck. */
  async interrupt(id: string): Promise<void> {
    const question = this.questions.get(id);
    const source = question && this.options.sources.find(question);
    const result = source && (await this.send(id, () => source.actions.interrupt(undefined)));
    if (result?.ok === false && result.problem !== undefined) {
      throw new Error(result.problem);
    }
  }

  /** Sends an answer once. If nothing was sent, the result says why. */
  async answer(message: AnswerMessage): Promise<SendResult> {
    const { clientId, eventId: id } = message;
    const found = this.asks.get(id);
    if (found === undefined) {
      return { ok: false, problem: this.whyGone(id) };
    }
    const { source, eventId, entry } = found;
    if (message.type === 'customResult') {
      const { text, isError } = message;
      const content = text === '' ? [] : [{ type: 'text', text }];
      return await this.send(id, () => source.actions.customResult(clientId, eventId, content, isError));
    }
    if (message.result === 'allow' && message.shown !== entry.fingerprint) {
      return { ok: false, problem: this.options.t('Not allowed: it has changed. Review it again.') };
    }
    // The fingerprints show that the ask is unchanged since it was shown, both here and in its session.
    const fingerprint = source.actions.fingerprintOf(eventId);
    return await this.send(id, () => source.actions.confirm(clientId, eventId, message.result, message.denyMessage, fingerprint));
  }

  async send(id: string, start: () => Promise<SendResult>): Promise<SendResult> {
    const question = this.questions.get(id);
    const source = this.asks.get(id)?.source ?? (question && this.options.sources.find(question));
    this.sending.add(id);
    const result = await start().finally(() => this.sending.delete(id));
    if (result.ok) {
      this.answered.set(id, this.options.clock.monotonic());
      this.problems.delete(id);
      // The read also updates the list and the badge.
      source?.session.readSoon();
    } else if (!this.asks.has(id) && !this.questions.has(id)) {
      return { ok: false, problem: this.whyGone(id) };
    }
    this.update();
    return result;
  }

  /** Allows asks with equal arguments. Allows none of them if an ask has changed since it was shown. A failed answer shows on its card. */
  async allowEqual({ clientId, asks }: Extract<FromInbox, { readonly type: 'allowEqual' }>): Promise<SendResult> {
    const { t } = this.options;
    const found = asks.map(({ id, shown }) => ({ id, shown, known: this.asks.get(id)?.entry }));
    const [key] = found.map(({ known }) => known?.equalKey);
    if (key === undefined || !found.every(({ known, shown }) => known?.equalKey === key && known.fingerprint === shown)) {
      return { ok: false, problem: t('Not allowed: it has changed. Review it again.') };
    }
    const failures: string[] = [];
    await atMost(atOnce, [...found.entries()], this.options.lifetime, async ([index, { id, shown }]) => {
      const result = await this.answer({ type: 'confirm', clientId: `${clientId} ${index}`, eventId: id, result: 'allow', shown });
      if (!result.ok) {
        const problem = result.problem ?? '';
        failures.push(problem);
        this.problems.set(id, problem);
      }
    });
    this.update();
    return failures.length === 0
      ? { ok: true }
      : { ok: false, problem: t('{0} of {1} were not allowed. {2}', failures.length, asks.length, failures[0] ?? '') };
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private entries(): readonly InboxEntry[] {
    const { postponed } = this.options;
    const order = new Map([...postponed].map((id, index) => [id, index]));
    const all = [...this.asks.values()].map(({ entry }) => entry);
    // An ask without a time is older than the events that were read.
    all.sort((a, b) => Number(b.isIrreversible === true) - Number(a.isIrreversible === true) || (a.ask.at ?? 0) - (b.ask.at ?? 0));
    const isLater = ({ ask }: InboxEntry) => order.has(ask.eventId);
    return [
      ...all.filter(entry => !isLater(entry)),
      ...all
        .filter(isLater)
        .sort((a, b) => (order.get(a.ask.eventId) ?? 0) - (order.get(b.ask.eventId) ?? 0))
        .map(entry => ({ ...entry, isPostponed: true })),
    ];
  }

  private whyGone(id: string): string {
    return this.left.find(left => left.id === id)?.words ?? this.options.t('It no longer needs an answer.');
  }

  private update(): void {
    const { sources, decisions, t } = this.options;
    const before = this.asks;
    const known = sources.all();
    const asks = new Map<string, DeskAsk>();
    for (const source of known) {
      for (const ask of source.session.view.asks) {
        const id = idOfAsk(source.session.reference, ask.eventId);
        const problem = this.problems.get(id) ?? (this.answered.has(id) ? t('The session is still waiting.') : source.problem);
        // An ask that is being answered stays on the card until the service has the answer.
        if (this.isOpen(id, ask.answering === true, before.has(id))) {
          asks.set(id, { source, eventId: ask.eventId, entry: toEntry(id, ask, source.session, problem) });
        }
      }
    }
    const left: LeftEntry[] = [];
    for (const [id, { source, eventId }] of before) {
      if (!asks.has(id) && !this.answered.has(id)) {
        const rule = decisions()?.find(source.session.reference, eventId);
        left.push({ id, words: rule === undefined ? toLeftWords(source.session, eventId, t) : toRuledWords(rule, t) });
      }
    }
    left.push(...this.updateQuestions());
    this.left = [...this.left.filter(({ id }) => !asks.has(id) && !this.questions.has(id)), ...left].slice(-maxLeft);
    this.asks = asks;
    sources.prune();
    this.changed.fire();
  }

  /** Updates the questions. Returns the questions that disappeared without an answer or a dismissal from here, with the reason. */
  private updateQuestions(): readonly LeftEntry[] {
    const { sources, waiting, dismissed, t } = this.options;
    const before = this.questions;
    const known = new Map(waiting.questions().map(question => [idOfAsk(question, question.eventId), question] as const));
    const { shownQuestion: shown } = this;
    const last = before.get(shown ?? '');
    if (shown !== undefined && last !== undefined && last.problem === undefined && !known.has(shown)) {
      known.set(shown, last);
    }
    const isOpen = (id: string, question: AskedQuestion) => {
      const source = id === shown ? sources.find(question) : undefined;
      return this.sending.has(id) || source?.isRead !== true || asksStill(source, question);
    };
    const isDone = (id: string) => this.answered.has(id) || dismissed.has(id);
    this.questions = new Map([...known].filter(([id, question]) => !isDone(id) && isOpen(id, question)));
    return [...before]
      .filter(([id]) => !this.questions.has(id) && !isDone(id))
      .map(([id, question]) => ({ id, words: toGoneWords(question, sources.find(question), t) }));
  }

  private isOpen(id: string, isAnswering: boolean, wasOpen: boolean): boolean {
    const answeredAt = this.answered.get(id);
    if (answeredAt !== undefined) {
      return !isAnswering && this.options.clock.monotonic() - answeredAt > shownAgainAfter;
    }
    // Only an answer sent from here is shown as being sent.
    return !isAnswering || (wasOpen && this.sending.has(id));
  }
}
