import type { VNode } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  type FromInbox,
  type InboxEntry,
  type InboxState,
  type InboxView,
  maxEqual,
  type OfferedRule,
  type QuestionEntry,
  type ToInbox,
} from '../../shared/inbox/inboxProtocol';
import { join, toLabel } from '../../shared/text';
import { toQuestion } from '../controls/asks/askCard';
import { startPanel } from '../controls/startPanel';
import '../controls/asks/asks.css';
import { toNumber } from '../../shared/formats';
import { Button } from '../controls/button';
import { whenFocused } from '../controls/focus';
import { Icon } from '../controls/icon';
import { Panel, type PanelContext } from '../controls/panelContext';
import type { SavedState } from '../controls/savedState';
import { visible } from '../controls/text/visibleText';
import { Inbox } from './cardFrame';
import { EntryCard } from './entryCard';
import { EntryList } from './entryList';
import { OfferedRules } from './offeredRules';
import './inbox.css';
import { ReplyStore } from '../controls/hostStore';
import { QuestionCard, toQuestionHeading } from './questionCard';

interface AppProps {
  readonly store: InboxStore;
  readonly view: InboxView;
  readonly saved: SavedState<InboxState>;
  readonly post: (message: FromInbox) => void;
}

/** Sends a message of a card to the host. An answer includes the fingerprint of the displayed ask. */
function postOfCard(message: Parameters<PanelContext['post']>[0], store: InboxStore, post: (message: FromInbox) => void): void {
  switch (message.type) {
    case 'confirm': {
      const shown = store.view?.entries.find(({ ask }) => ask.eventId === message.eventId)?.fingerprint;
      post({ ...message, shown: shown ?? 'nothing' });
      break;
    }
    case 'customResult':
    case 'customResultFromFile':
    case 'openAskedChange':
    case 'makeRule':
    case 'openLink':
    case 'copyText':
      post(message);
      break;
    case 'loadPart':
    case 'openPart':
      post({ type: message.type, thread: '', key: message.key, path: 'ask' });
      break;
  }
}

/** The inbox: a list of everything that waits for the user in any session, and a card with the complete content of one item. */
function InboxApp({ store, view, saved, post }: AppProps): VNode {
  const context = useContext(Panel);
  const { t, announce } = context;
  const card = useRef<HTMLElement>(null);
  const section = useRef<HTMLElement>(null);
  const { item, id, goneWords, choose, next } = useShownEntry(view, saved.state.shown || undefined, shown => {
    // An answered item isn't restored when the page is shown again.
    saved.update(shown !== undefined ? { shown } : view.isRead ? { shown: '' } : {});
    post({ type: 'shown', ...(shown === undefined ? {} : { id: shown }) });
  });
  const wantsCard = useRef(true);
  const request = store.takeShow();
  if (request !== undefined) {
    wantsCard.current = true;
    if (request.id !== undefined) {
      choose(request.id);
    }
  }
  useFollowedFocus({ id: `${id} ${goneWords}`, section, card, wantsCard });
  useSpoken(goneWords === undefined ? item : undefined, goneWords, { t, announce });
  const show = (entryId: string): void => {
    wantsCard.current = true;
    choose(entryId);
  };
  const goOn = (): void => {
    wantsCard.current = true;
    next();
  };
  const suggested = useMemo(() => (view.suggestion === undefined ? noRules : [view.suggestion]), [view.suggestion?.id]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = stepOf(event, card.current);
    const items = [...view.entries, ...view.questions];
    const index = items.findIndex(one => idOfItem(one) === id);
    const to = items[Math.min(Math.max(index + by, 0), items.length - 1)];
    if (by !== 0 && to !== undefined) {
      event.preventDefault();
      show(idOfItem(to));
    }
  };
  return (
    <Inbox.Provider value={{ goneWords, canWrite: view.canWrite, card, post, onNext: goOn }}>
      <main class="inbox flexColumn" onKeyDown={onKeyDown}>
        <header class="inbox-head flexWrap flexBaseline">
          <h1 class="inbox-title">{t('Inbox')}</h1>
          <span class="faint">{toCounts(view, context)}</span>
          {view.byRules === 0 ? null : (
            <Button kind="link" onClick={() => post({ type: 'showRules' })}>
              {t('{0} decided by rules in the last 24 hours', toNumber(view.byRules, context.locale))}
            </Button>
          )}
          <span class="inbox-watched faint">{view.watched}</span>
        </header>
        <Unread problems={view.unread} />
        {view.suggestion === undefined || !view.canWrite ? null : (
          <OfferedRules isQuiet key={view.suggestion.id} rules={suggested} onCancel={() => post({ type: 'dismissRule' })} />
        )}
        <div class="inbox-body">
          {view.entries.length + view.questions.length === 0 ? null : (
            <EntryList entries={view.entries} questions={view.questions} shownId={id} onShow={show} />
          )}
          <section class="inbox-shown flexColumn" ref={section} aria-label={t('Card')}>
            {item === undefined ? (
              <p class="inbox-empty faint" role={view.isRead ? undefined : 'status'}>
                {view.unread.length > 0 ? '' : view.isRead ? t('Nothing needs you.') : t('Loading…')}
              </p>
            ) : isQuestion(item) ? (
              <QuestionCard key={item.id} question={item} />
            ) : (
              <EntryCard
                key={item.ask.eventId}
                entry={item}
                equal={equalTo(item, view.entries)}
                rules={store.rules?.eventId === item.ask.eventId ? store.rules.rules : noRules}
              />
            )}
          </section>
        </div>
      </main>
    </Inbox.Provider>
  );
}

const noRules: readonly never[] = [];

/** Returns the number of items that a key moves by: arrows up and down, j and k. Fields and scrolling boxes keep their keys. */
function stepOf({ key, target, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent, card: HTMLElement | null): -1 | 0 | 1 {
  const isFree = target === card || target === document.body || (target instanceof Element && target.matches('.inbox-item'));
  if (!isFree || ctrlKey || metaKey || altKey || shiftKey) {
    return 0;
  }
  return key === 'ArrowDown' || key === 'j' ? 1 : key === 'ArrowUp' || key === 'k' ? -1 : 0;
}

function Unread({ problems: [problem, ...others] }: { readonly problems: readonly string[] }): VNode | null {
  const { t, locale } = useContext(Panel);
  if (problem === undefined) {
    return null;
  }
  const words = t("Couldn't read sessions ({0}): {1}", toNumber(others.length + 1, locale), problem);
  return (
    <p class="problem inbox-unread" role="alert">
      <Icon name="error" /> {visible(words)}
    </p>
  );
}

function toCounts({ entries, questions: all, newest }: InboxView, { t, locale }: PanelContext): string {
  const waiting = toNumber(entries.length, locale);
  const asks =
    newest === undefined ? t('{0} waiting', waiting) : t('{0} waiting in the newest {1} sessions', waiting, toNumber(newest, locale));
  const questions = all.filter(({ stuck }) => stuck === undefined);
  const stuck = t('{0} without progress', toNumber(all.length - questions.length, locale));
  const asked = t('questions: {0}', toNumber(questions.length, locale));
  return join(' · ', entries.length === 0 ? '' : asks, questions.length === 0 ? '' : asked, questions.length === all.length ? '' : stuck);
}

/** Returns the ask on the card, followed by all equal asks. Leaves out asks that are being answered. */
function equalTo(shown: InboxEntry, entries: readonly InboxEntry[]): readonly InboxEntry[] {
  const { equalKey, ask } = shown;
  const others = entries.filter(entry => entry.equalKey === equalKey && entry.ask.eventId !== ask.eventId && entry.ask.answering !== true);
  return equalKey === undefined || ask.answering === true ? [] : [shown, ...others].slice(0, maxEqual);
}

interface FollowedFocusOptions {
  readonly id: string;
  readonly section: { readonly current: HTMLElement | null };
  readonly card: { readonly current: HTMLElement | null };
  readonly wantsCard: { current: boolean };
}

/** Focuses the card, not one of its buttons, when the user selected another item or the focused card was removed. */
function useFollowedFocus({ id, section, card, wantsCard }: FollowedFocusOptions): void {
  const last = useRef<string>(undefined);
  const hadFocus = useRef(false);
  hadFocus.current = section.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    const isOther = last.current !== id;
    last.current = id;
    // If no card is rendered yet, the next card that is rendered gets the focus.
    wantsCard.current ||= card.current === null && isOther && hadFocus.current;
    if (card.current !== null && (wantsCard.current || (isOther && hadFocus.current))) {
      wantsCard.current = false;
      whenFocused(() => card.current?.focus());
    }
  });
}

/** Announces the next item when it replaces the current item, or the reason why the current item no longer waits. */
function useSpoken(
  item: InboxItem | undefined,
  goneWords: string | undefined,
  { t, announce }: Pick<PanelContext, 't' | 'announce'>,
): void {
  const last = useRef<string>(undefined);
  const id = (item && idOfItem(item)) ?? goneWords;
  useLayoutEffect(() => {
    const before = last.current;
    last.current = id;
    if (before === id || before === undefined) {
      return;
    }
    if (item !== undefined) {
      const heading = isQuestion(item) ? toQuestionHeading(item, t) : toQuestion(item.ask, t);
      announce(t('Next: {0} {1}, {2}', heading, toLabel(item.agent), toLabel(item.title)));
    } else {
      announce(goneWords ?? t('Nothing needs you.'));
    }
  }, [id]);
}

type InboxItem = InboxEntry | QuestionEntry;

function isQuestion(item: InboxItem): item is QuestionEntry {
  return !('ask' in item);
}

function idOfItem(item: InboxItem): string {
  return isQuestion(item) ? item.id : item.ask.eventId;
}

/**
 * Returns the item on the card. The item stays until the user answers it here, even if items before it appear or disappear. Then the next
 * item is shown. An ask that was answered elsewhere also stays, with a note (`goneWords`), because the card must not change just before a
 * click.
 */
function useShownEntry(view: InboxView, saved: string | undefined, onShown: (id: string | undefined) => void) {
  const { left } = view;
  const items: readonly InboxItem[] = [...view.entries, ...view.questions];
  const [chosen, choose] = useState(saved);
  const last = useRef<InboxItem>(undefined);
  const position = useRef(0);
  const found = items.findIndex(item => idOfItem(item) === chosen);
  const goneWords =
    found === -1 && last.current !== undefined && idOfItem(last.current) === chosen
      ? left.findLast(({ id }) => id === chosen)?.words
      : undefined;
  const index = found === -1 ? (position.current < items.length ? position.current : 0) : found;
  // No item is shown before all are read, because the first item is not known yet. The user can still select an item.
  const isAwaited = found === -1 && !view.isRead;
  const item = goneWords !== undefined ? last.current : isAwaited ? undefined : items[index];
  const id = item && idOfItem(item);
  const isWaiting = item !== undefined && goneWords === undefined;
  if (isWaiting) {
    position.current = index;
    last.current = item;
  }
  useEffect(() => {
    if (id !== undefined) {
      choose(id);
    }
    onShown(isWaiting ? id : undefined);
  }, [id, isWaiting]);
  return {
    ...{ item, id, goneWords, choose },
    next: (): void => {
      const after = goneWords !== undefined ? items[index] : items[(index + 1) % Math.max(1, items.length)];
      last.current = undefined;
      choose(after && idOfItem(after));
    },
  };
}

type ShowRequest = Extract<ToInbox, { readonly type: 'show' }>;

/** Latest state from the host. Every message replaces the state. */
class InboxStore extends ReplyStore<ToInbox> {
  view: InboxView | undefined;
  #show: ShowRequest | undefined;
  rules: { readonly eventId: string; readonly rules: readonly OfferedRule[] } | undefined;

  /** Returns the host's request to show an item, once. A request without `id` means the first item. */
  takeShow(): ShowRequest | undefined {
    const show = this.#show;
    this.#show = undefined;
    return show;
  }

  receive(message: ToInbox): void {
    switch (message.type) {
      case 'view':
        this.forgetChangedAsks(toPrints(this.view), toPrints(message.view));
        this.view = message.view;
        break;
      case 'part':
      case 'sendResult':
        this.takeReply(message);
        break;
      case 'rules':
        this.rules = message;
        break;
      case 'show':
        this.#show = message;
        break;
    }
    this.changed();
  }
}

function toPrints(view: InboxView | undefined): ReadonlyMap<string, string> {
  return new Map(view?.entries.map(({ ask, fingerprint }) => [ask.eventId, fingerprint]));
}

startPanel<FromInbox, ToInbox, InboxState>((saved, post) => {
  const store = new InboxStore();
  const draw = () => store.view && <InboxApp {...{ store, saved, post }} view={store.view} />;
  return { store, post: message => postOfCard(message, store, post), draw };
});
