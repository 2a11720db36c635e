import type { VNode } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { toMarkWord } from '../../shared/results/markWords';
import type { PairAct, PairPart, PairSide, ResultPair } from '../../shared/results/resultsProtocol';
import { Button } from '../session/controls/button';
import { toCount } from '../session/controls/numbers';
import { Markdown } from '../session/markdown/markdownView';
import { Panel } from '../session/panelContext';
import { LongText } from '../session/rows/longText';
import './pair.css';

interface PairViewProps {
  readonly pair: ResultPair | undefined;
  readonly problem: string | undefined;
  readonly place: number;
  readonly count: number;
  readonly focusToken: number;
  readonly onStep: (step: number) => void;
  readonly onAct: (act: PairAct) => void;
  readonly onClose: () => void;
}

/** A request and its answer, side by side. */
export function PairView({ pair, problem, place, count, focusToken, onStep, onAct, onClose }: PairViewProps): VNode {
  const { t, locale } = useContext(Panel);
  const region = useRef<HTMLElement>(null);
  const sides = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focusToken > 0) {
      region.current?.focus({ preventScroll: true });
    }
  }, [focusToken]);
  useEffect(() => {
    for (const side of sides.current?.children ?? []) {
      side.scrollTop = 0;
    }
  }, [pair]);
  return (
    <section
      class="pair"
      ref={region}
      tabIndex={-1}
      aria-label={pair === undefined ? t('Request and answer') : t('Request and answer of {0}', pair.row.id)}
      onKeyDown={event => {
        if (event.key === 'Escape') {
          event.preventDefault();
          onClose();
        } else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
          event.preventDefault();
          onStep(event.key === 'ArrowUp' ? -1 : 1);
        }
      }}
    >
      <div class="pairHead">
        <div class="pairName">
          <h2>{pair?.row.id ?? ''}</h2>
          {pair === undefined ? null : <Button look="icon" icon="copy" label={t('Copy Id')} onClick={() => onAct('copyId')} />}
        </div>
        {pair === undefined ? null : (
          <span class={`pairMark mark-${pair.row.mark}`}>
            <span class="mark">{toMarkWord(pair.row.mark, t)}</span>
          </span>
        )}
        <span class="pairPlace">{t('{0} of {1}', toCount(place + 1, locale), toCount(count, locale))}</span>
        <div class="pairActs" role="toolbar" aria-label={t('Request and answer')}>
          <Button look="icon" icon="up" label={t('Previous (Alt+Up)')} disabled={place === 0} onClick={() => onStep(-1)} />
          <Button look="icon" icon="down" label={t('Next (Alt+Down)')} disabled={place + 1 >= count} onClick={() => onStep(1)} />
          <Button look="icon" icon="open" label={t('Open as Documents')} onClick={() => onAct('documents')} />
          {pair?.canGoToLine === true ? (
            <Button look="link" onClick={() => onAct('goToLine')}>
              {pair.row.line === undefined ? t('Go to Request') : t('Go to Line {0}', toCount(pair.row.line, locale))}
            </Button>
          ) : null}
          <Button look="icon" icon="cross" label={t('Close (Escape)')} onClick={onClose} />
        </div>
      </div>
      {problem === undefined ? null : (
        <p class="pairProblem problem" role="alert">
          {problem}
        </p>
      )}
      {pair === undefined || problem !== undefined ? null : (
        <>
          {pair.history.length > 1 ? (
            <ol class="pairHistory" aria-label={t('Generations')}>
              {pair.history.map(words => (
                <li key={words}>{words}</li>
              ))}
            </ol>
          ) : null}
          <div class="pairSides" ref={sides}>
            <Side
              title={t('Request')}
              copyLabel={t('Copy Request')}
              side={pair.request}
              onWhole={() => onAct('wholeRequest')}
              onCopy={() => onAct('copyRequest')}
            />
            <Side
              title={t('Answer')}
              copyLabel={t('Copy Answer')}
              side={pair.answer}
              onWhole={() => onAct('wholeAnswer')}
              onCopy={() => onAct('copyAnswer')}
            />
          </div>
        </>
      )}
    </section>
  );
}

interface SideProps {
  readonly title: string;
  readonly copyLabel?: string;
  readonly side: PairSide;
  readonly onWhole: () => void;
  readonly onCopy?: () => void;
}

/** A request, or an answer to one: what is known of it, and its parts. */
export function Side({ title, copyLabel, side, onWhole, onCopy }: SideProps): VNode {
  const { t } = useContext(Panel);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="side" tabIndex={0} aria-label={title}>
      <div class="sideHead">
        <h3>{title}</h3>
        <dl class="sideFacts">
          {side.facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt> <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {side.parts.length === 0 || onCopy === undefined ? null : <Button look="icon" icon="copy" label={copyLabel} onClick={onCopy} />}
      </div>
      {side.notice === undefined ? null : <p class="sideNotice">{side.notice}</p>}
      {side.parts.map((part, index) => (
        <Part key={index} part={part} />
      ))}
      {side.isCut ? (
        <p class="sideCut">
          {t('This is the beginning.')}{' '}
          <Button look="link" onClick={onWhole}>
            {t('Show Whole')}
          </Button>
        </p>
      ) : null}
    </section>
  );
}

function Part({ part }: { part: PairPart }): VNode {
  const { form, title, text, isFolded, isProblem } = part;
  const content = form === 'markdown' ? <Markdown text={text} /> : <LongText text={text} isProse={form === 'plain'} />;
  if (isFolded === true) {
    return (
      <details class="part">
        <summary>{title}</summary>
        {content}
      </details>
    );
  }
  return (
    <div class={isProblem === true ? 'part isProblem' : 'part'}>
      {title === undefined ? null : <h4>{title}</h4>}
      {content}
    </div>
  );
}
