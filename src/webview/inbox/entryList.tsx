import type { VNode } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { relativeTimeFormat } from '../../shared/formats';
import type { InboxEntry } from '../../shared/inbox/inboxProtocol';
import { toArgumentsLine } from '../../shared/session/rows/argumentsLine';
import { toLabel } from '../../shared/text';
import { Panel, type PanelContext } from '../session/panelContext';

interface EntryListProps {
  readonly entries: readonly InboxEntry[];
  readonly shownId: string | undefined;
  readonly onShow: (id: string) => void;
}

/** Everything that waits, in a line or two each: choosing one brings it onto the card. */
export function EntryList({ entries, shownId, onShow }: EntryListProps): VNode {
  const context = useContext(Panel);
  const { t } = context;
  const now = useMinutes();
  return (
    <nav class="inbox-nav" aria-label={t('What waits for you')}>
      {/* biome-ignore lint/a11y/noRedundantRoles: without its bullets a list is none for some screen readers */}
      <ul class="inbox-list" role="list">
        {entries.map(entry => (
          <li key={entry.ask.eventId}>
            <Item entry={entry} isShown={entry.ask.eventId === shownId} now={now} context={context} onShow={onShow} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface ItemProps extends Pick<EntryListProps, 'onShow'> {
  readonly entry: InboxEntry;
  readonly isShown: boolean;
  readonly now: number;
  readonly context: PanelContext;
}

function Item({ entry: { ask, agent, title, isPostponed }, isShown, now, context, onShow }: ItemProps): VNode {
  const { t } = context;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isShown) {
      button.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [isShown]);
  const input = 'text' in ask.input && typeof ask.input.text === 'string' ? toLabel(toArgumentsLine(ask.input.text), 120) : '';
  const where = [agent, title].filter(words => words !== '').map(words => toLabel(words, 80));
  const state = ask.answering === true ? t('Answering…') : isPostponed === true ? t('Not now') : '';
  const notes = [...where, ask.at === undefined ? '' : toAge(ask.at, now, context), state].filter(words => words !== '');
  return (
    <button ref={button} type="button" class="inbox-item" aria-current={isShown ? 'true' : undefined} onClick={() => onShow(ask.eventId)}>
      <span class="inbox-item-what">
        <b>{toLabel(ask.tool, 60)}</b> {input}
      </span>{' '}
      <span class="inbox-item-where">{notes.join(' · ')}</span>
    </button>
  );
}

/** How long ago, to the minute. */
function toAge(at: number, now: number, { t, locale }: PanelContext): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) {
    return t('just now');
  }
  const format = relativeTimeFormat(locale, { numeric: 'always', style: 'short' });
  return minutes < 60
    ? format.format(-minutes, 'minute')
    : minutes < 1440
      ? format.format(-Math.floor(minutes / 60), 'hour')
      : format.format(-Math.floor(minutes / 1440), 'day');
}

/** The time of day, read anew every half minute. */
function useMinutes(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
