import type { VNode } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { toNumber } from '../../shared/formats';
import type { QueryChip, QueryCompletion } from '../../shared/results/resultsProtocol';
import { Button } from '../controls/button';
import { useFocusToken } from '../controls/focus';
import { OptionList, optionId } from '../controls/optionList';
import { Panel } from '../controls/panelContext';
import type { ResultsStore } from './resultsStore';
import { useResults } from './useShownResults';

/** Delay after the last key press before the query runs, in milliseconds. */
const pause = 250;
const maxOffers = 12;

interface QueryBarProps {
  readonly hasPictures: boolean;
  readonly focusToken: number;
  readonly onPictures: (isOn: boolean) => void;
}

/** The query field with completions and errors, and buttons for common queries. */
export function QueryBar({ hasPictures, focusToken, onPictures }: QueryBarProps): VNode {
  const { store, snapshot, post, shown } = useResults();
  const { query } = shown;
  const { t } = useContext(Panel);
  const { text, write, askNow } = useQueryText(query, shown.filter);
  const { columns = [], head } = snapshot;
  const hasExpectations = columns.some(({ name }) => name === 'test');
  const isRefused = store.refused !== undefined && text === query;
  return (
    <search class="queryBar">
      <div class="queryLine flexWrap">
        <QueryField {...{ text, isRefused, write, askNow, focusToken }} />
        {text === '' ? null : <Button kind="icon" icon="cross" label={t('Clear the filter')} onClick={() => write('', false)} />}
      </div>
      {isRefused ? <QueryProblem text={text} problem={store.refused} /> : null}
      {/* biome-ignore lint/a11y/useSemanticElements: not every browser can lay out a fieldset as a line */}
      <div class="chips flexWrap" role="group" aria-label={t('Common filters')}>
        {(head.chips ?? []).map(chip => (
          <Chip key={chip.query} {...chip} current={query} onQuery={next => write(next, false)} />
        ))}
        {hasExpectations ? (
          <Chip label={t('Not as expected')} query="test=failed" current={query} onQuery={next => write(next, false)} />
        ) : null}
        <span class="chipsEnd flexLine">
          <Button kind="link" onClick={() => post({ type: 'chooseColumns' })}>
            {t('Columns')}
          </Button>
          <Button kind="link" icon="usage" isPressed={hasPictures} onClick={() => onPictures(!hasPictures)}>
            {t('Charts')}
          </Button>
        </span>
      </div>
    </search>
  );
}

function useQueryText(query: string, onQuery: (query: string) => void) {
  const [text, setText] = useState(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(query), [query]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const askNow = (next: string): void => {
    clearTimeout(timer.current);
    if (next !== query) {
      onQuery(next);
    }
  };
  /** Sets the text. Runs the query immediately, or with `isLater` after a pause in typing. */
  const write = (next: string, isLater: boolean): void => {
    setText(next);
    clearTimeout(timer.current);
    if (isLater) {
      timer.current = setTimeout(() => askNow(next), pause);
    } else {
      askNow(next);
    }
  };
  return { text, write, askNow };
}

interface QueryFieldProps extends ReturnType<typeof useQueryText> {
  readonly isRefused: boolean;
  readonly focusToken: number;
}

function QueryField({ text, isRefused, write, askNow, focusToken }: QueryFieldProps): VNode {
  const { store, shown, subject } = useResults();
  const { t } = useContext(Panel);
  const [chosen, setChosen] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const offers = store.completions.slice(0, maxOffers);
  const isRequests = subject === 'requests';
  useFocusToken(field, focusToken);
  useEffect(() => {
    if (offers.length === 0) {
      setChosen(-1);
    }
  }, [offers.length]);
  const change = (next: string, isLater: boolean): void => {
    setChosen(-1);
    write(next, isLater);
  };
  const take = ({ text: taken, start, end }: QueryCompletion): void => {
    const before = text.slice(0, start) + taken;
    const next = before + text.slice(end);
    change(next, true);
    const { current } = field;
    if (current !== null) {
      current.value = next;
      current.focus();
      current.setSelectionRange(before.length, before.length);
      store.complete(next, before.length);
    }
  };
  const leave = (): void => {
    if (offers.length > 0) {
      store.forgetCompletions();
    } else if (text !== '') {
      change('', false);
    } else {
      shown.focusTable();
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const offer = offers[chosen];
    if (event.isComposing) {
      return;
    }
    if (event.key === 'ArrowDown' && offers.length > 0) {
      event.preventDefault();
      setChosen(chosen + 1 >= offers.length ? 0 : chosen + 1);
    } else if (event.key === 'ArrowUp' && offers.length > 0) {
      event.preventDefault();
      setChosen(chosen <= 0 ? offers.length - 1 : chosen - 1);
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      shown.focusTable();
    } else if ((event.key === 'Enter' || event.key === 'Tab') && offer !== undefined) {
      event.preventDefault();
      take(offer);
    } else if (event.key === 'Enter') {
      store.forgetCompletions();
      askNow(text);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      leave();
    } else if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      store.complete(text, field.current?.selectionStart ?? text.length);
    }
  };
  return (
    <div class="queryField">
      <input
        ref={field}
        class={isRefused ? 'field isRefused' : 'field'}
        type="text"
        role="combobox"
        aria-label={isRequests ? t('Filter requests') : t('Filter results')}
        aria-expanded={offers.length > 0}
        aria-controls={offers.length > 0 ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={chosen >= 0 ? optionId(listId, chosen) : undefined}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? 'queryProblem' : undefined}
        placeholder={
          isRequests ? t('Search or filter: problem=any, "refund", out>1000') : t('Search or filter: status=failed, "refund", $.score>3')
        }
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={event => {
          const { value, selectionStart } = event.currentTarget;
          change(value, true);
          store.complete(value, selectionStart ?? value.length);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => store.forgetCompletions()}
      />
      {offers.length === 0 ? null : (
        <div class="offers">
          <OptionList id={listId} label={t('Suggestions')} options={offers} active={chosen} onChoose={take} />
        </div>
      )}
    </div>
  );
}

function QueryProblem({ text, problem }: { readonly text: string; readonly problem: ResultsStore['refused'] }): VNode | null {
  if (problem === undefined) {
    return null;
  }
  const { start, end, message } = problem;
  return (
    <p id="queryProblem" class="queryProblem errorBox" role="alert">
      <code>
        {text.slice(Math.max(0, start - 30), start)}
        <mark>{text.slice(start, end) || '▲'}</mark>
        {text.slice(end, end + 30)}
      </code>{' '}
      {message}
    </p>
  );
}

interface ChipProps extends QueryChip {
  readonly current: string;
  readonly onQuery: (query: string) => void;
}

function Chip({ label, query, count, current, onQuery }: ChipProps): VNode {
  const { locale } = useContext(Panel);
  return (
    <button type="button" class="chip" aria-pressed={current.trim() === query} onClick={() => onQuery(query)}>
      {count === undefined ? label : `${label} ${toNumber(count, locale)}`}
    </button>
  );
}
