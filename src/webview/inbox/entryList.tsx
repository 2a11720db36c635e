import { Fragment, type VNode } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { relativeTimeFormat } from '../../shared/formats';
import type { InboxEntry, QuestionEntry } from '../../shared/inbox/inboxProtocol';
import { describeProgress } from '../../shared/session/facts/sessionState';
import { toArgumentsLine } from '../../shared/session/rows/argumentsLine';
import { join, toLabel } from '../../shared/text';
import { Panel, type PanelContext } from '../controls/panelContext';

interface EntryListProps {
  readonly entries: readonly InboxEntry[];
  readonly questions: readonly QuestionEntry[];
  readonly shownId: string | undefined;
  readonly onShow: (id: string) => void;
}

/** Open asks, then questions. Choosing one shows its card. */
export function EntryList({ entries, questions, shownId, onShow }: EntryListProps): VNode {
  const context = useContext(Panel);
  const { t } = context;
  const now = useMinutes();
  const equals = new Map<string, number>();
  for (const { equalKey, ask } of entries) {
    if (equalKey !== undefined && ask.answering !== true) {
      equals.set(equalKey, (equals.get(equalKey) ?? 0) + 1);
    }
  }
  const lines = entries.map(entry => toLine(entry, equals.get(entry.equalKey ?? '') ?? 1, now, context));
  return (
    <nav class="inbox-nav" aria-label={t('Needs you')}>
      {entries.length === 0 ? null : <Items {...{ lines, shownId, onShow }} />}
      {[
        { heading: t('Questions'), of: questions.filter(({ stuck }) => stuck === undefined) },
        { heading: t('No progress'), of: questions.filter(({ stuck }) => stuck !== undefined) },
      ].map(({ heading, of }) =>
        of.length === 0 ? null : (
          <Fragment key={heading}>
            <h2 class="inbox-heading hint">{heading}</h2>
            <Items lines={of.map(question => toQuestionLine(question, now, context))} {...{ shownId, onShow }} />
          </Fragment>
        ),
      )}
    </nav>
  );
}

interface Line {
  readonly id: string;
  readonly name: string;
  readonly words: string;
  readonly notes: readonly string[];
}

function Items({ lines, shownId, onShow }: Pick<EntryListProps, 'shownId' | 'onShow'> & { readonly lines: readonly Line[] }): VNode {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: some screen readers skip the role of a list without bullets
    <ul class="inbox-list" role="list">
      {lines.map(line => (
        <li key={line.id}>
          <Item line={line} isShown={line.id === shownId} onShow={onShow} />
        </li>
      ))}
    </ul>
  );
}

function Item({ line, isShown, onShow }: { readonly line: Line; readonly isShown: boolean } & Pick<EntryListProps, 'onShow'>): VNode {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isShown) {
      button.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [isShown]);
  return (
    <button
      ref={button}
      type="button"
      class="inbox-item flexColumn hoverable"
      aria-current={isShown ? 'true' : undefined}
      onClick={() => onShow(line.id)}
    >
      <span class="inbox-item-what">
        <b>{line.name}</b> {line.words}
      </span>{' '}
      <span class="hint">{join(' · ', ...line.notes)}</span>
    </button>
  );
}

function toQuestionLine({ id, title, agent, at, stuck }: QuestionEntry, now: number, context: PanelContext): Line {
  const since = stuck !== undefined ? describeProgress(stuck, context.t, context.locale) : at === undefined ? '' : toAge(at, now, context);
  return { id, name: toLabel(title, 80), words: '', notes: [toLabel(agent, 80), since] };
}

/** Returns the line of an open ask. `equal` is the number of open asks with the same arguments, this one included. */
function toLine({ ask, agent, title, isPostponed, isIrreversible }: InboxEntry, equal: number, now: number, context: PanelContext): Line {
  const { t } = context;
  const input = 'text' in ask.input && typeof ask.input.text === 'string' ? toLabel(toArgumentsLine(ask.input.text), 120) : '';
  const state = ask.answering === true ? t('Answering…') : isPostponed === true ? t('Not now') : '';
  const warning = isIrreversible === true ? t("can't be undone") : '';
  const identical = equal > 1 && ask.answering !== true ? t('×{0} identical', equal) : '';
  const notes = [
    identical,
    warning,
    ask.at === undefined ? '' : toAge(ask.at, now, context),
    toLabel(agent, 80),
    toLabel(title, 80),
    state,
  ];
  return { id: ask.eventId, name: toLabel(ask.tool, 60), words: input, notes };
}

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

function useMinutes(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
