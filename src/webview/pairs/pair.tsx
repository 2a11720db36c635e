import type { ComponentChildren, VNode } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { toNumber } from '../../shared/formats';
import { toStatusWord } from '../../shared/results/resultStatus';
import type { PairAct, PairPart, PairSide, ResultPair, TableSubject } from '../../shared/results/resultsProtocol';
import type { Citation } from '../../shared/session/asking/sessionRequest';
import { Button } from '../controls/button';
import { useFocusToken } from '../controls/focus';
import { Markdown } from '../controls/markdown/markdownView';
import { Panel } from '../controls/panelContext';
import { LongText } from '../controls/text/longText';
import './pair.css';

interface PairViewProps extends PairPosition {
  readonly subject: TableSubject;
  readonly pair: ResultPair | undefined;
  readonly onAct: (act: PairAct, citation?: number) => void;
}

/** A request and its answer, side by side. */
export function PairView({ pair, subject, onAct, ...position }: PairViewProps): VNode {
  const { t, locale } = useContext(Panel);
  const isRequest = subject === 'requests';
  const what = isRequest ? t('Request') : t('Request and answer');
  return (
    <PairFrame
      {...position}
      pair={pair}
      label={pair === undefined || isRequest ? what : t('Request and answer of {0}', pair.row.id)}
      toolbarLabel={what}
      name={
        <>
          <div class="pairName flexLine">
            <h2>{pair?.row.id ?? ''}</h2>
            {pair === undefined ? null : <Button kind="icon" icon="copy" label={t('Copy ID')} onClick={() => onAct('copyId')} />}
            {pair === undefined || isRequest ? null : (
              <Button kind="icon" icon="link" label={t('Copy Link')} onClick={() => onAct('copyLink')} />
            )}
          </div>
          {pair === undefined ? null : (
            <span class={`pairMark mark-${pair.row.mark}`}>
              <span class="mark">{toStatusWord(pair.row.mark, t)}</span>
            </span>
          )}
        </>
      }
      acts={
        <>
          <Button kind="icon" icon="open" label={t('Open in Editor')} onClick={() => onAct('openInEditor')} />
          {pair?.canGoToLine === true ? (
            <Button kind="link" onClick={() => onAct('goToLine')}>
              {pair.row.line === undefined ? t('Go to Request') : t('Go to Line {0}', toNumber(pair.row.line, locale))}
            </Button>
          ) : null}
        </>
      }
      above={
        pair !== undefined && pair.history.length > 1 ? (
          <ol class="pairHistory faint" aria-label={t('Runs')}>
            {pair.history.map(words => (
              <li key={words}>{words}</li>
            ))}
          </ol>
        ) : null
      }
      sides={
        pair === undefined ? null : (
          <>
            <Side
              title={t('Request')}
              copyLabel={t('Copy Request')}
              side={pair.request}
              onWhole={() => onAct('openInEditor')}
              onCopy={() => onAct('copyRequest')}
            />
            {isRequest ? (
              <Side title={t('Problems')} side={pair.answer} onWhole={() => onAct('openInEditor')} />
            ) : (
              <Side
                title={t('Answer')}
                copyLabel={t('Copy Answer')}
                side={pair.answer}
                onWhole={() => onAct('openInEditor')}
                onCopy={() => onAct('copyAnswer')}
              >
                <Citations citations={pair.citations ?? []} onGo={index => onAct('goToEvent', index)} />
              </Side>
            )}
          </>
        )
      }
    />
  );
}

interface SideProps {
  readonly title: string;
  readonly copyLabel?: string;
  readonly side: PairSide;
  readonly onWhole: () => void;
  readonly onCopy?: () => void;
  readonly children?: ComponentChildren;
}

/** A request or an answer: facts about it, and its parts. */
export function Side({ title, copyLabel, side, onWhole, onCopy, children }: SideProps): VNode {
  const { t } = useContext(Panel);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section class="side" tabIndex={0} aria-label={title}>
      <div class="sideHead flexWrap flexBaseline">
        <h3>{title}</h3>
        <dl class="sideFacts">
          {side.facts.map(({ name, value }) => (
            <div key={name}>
              <dt class="faint">{name}</dt> <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {side.parts.length === 0 || onCopy === undefined ? null : <Button kind="icon" icon="copy" label={copyLabel} onClick={onCopy} />}
      </div>
      {side.notice === undefined ? null : <p class="sideNotice warningBox">{side.notice}</p>}
      {children}
      {side.parts.map((part, index) => (
        <Part key={index} part={part} />
      ))}
      {side.isCut ? (
        <p class="sideCut">
          {t('Only the start of this text is shown.')}{' '}
          <Button kind="link" onClick={onWhole}>
            {t('Show All')}
          </Button>
        </p>
      ) : null}
    </section>
  );
}

function Citations({ citations, onGo }: { citations: readonly Citation[]; onGo: (index: number) => void }): VNode | null {
  const { t } = useContext(Panel);
  return citations.length === 0 ? null : (
    <ul class="citations" aria-label={t('Citations')}>
      {citations.map(({ quote, eventId, isFound }, index) => (
        <li key={index}>
          <q class="faint">{quote}</q> {isFound ? null : <span class="citationFault">{t("⚠ This quote isn't in the event.")} </span>}
          <Button kind="link" hint={eventId} onClick={() => onGo(index)}>
            {t('Go to Event')}
          </Button>
        </li>
      ))}
    </ul>
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

/** Position of an open pair in its list, and navigation to other pairs. */
export interface PairPosition {
  readonly problem: string | undefined;
  readonly position: number;
  readonly count: number;
  readonly focusToken: number;
  readonly onStep: (step: number) => void;
  readonly onClose: () => void;
}

interface PairFrameProps extends PairPosition {
  /** The displayed pair. A different pair scrolls both sides to the top. */
  readonly pair: object | undefined;
  readonly label: string;
  readonly toolbarLabel: string;
  readonly name: ComponentChildren;
  readonly acts: ComponentChildren;
  readonly above?: ComponentChildren;
  readonly sides: ComponentChildren;
}

/** Two sides of one table row, with buttons for the next and previous row. */
export function PairFrame(props: PairFrameProps): VNode {
  const { pair, problem, position, count, focusToken, label, toolbarLabel, name, acts, above, sides, onStep, onClose } = props;
  const { t, locale } = useContext(Panel);
  const region = useRef<HTMLElement>(null);
  const shown = useRef<HTMLDivElement>(null);
  useFocusToken(region, focusToken);
  useEffect(() => {
    for (const side of shown.current?.children ?? []) {
      side.scrollTop = 0;
    }
  }, [pair]);
  return (
    <section
      class="pair flexColumn"
      ref={region}
      tabIndex={-1}
      aria-label={label}
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
      <div class="pairHead flexWrap">
        {name}
        <span class="faint">{t('{0} of {1}', toNumber(position + 1, locale), toNumber(count, locale))}</span>
        <div class="pairActs flexLine" role="toolbar" aria-label={toolbarLabel}>
          <Button kind="icon" icon="up" label={t('Previous (Alt+Up)')} disabled={position === 0} onClick={() => onStep(-1)} />
          <Button kind="icon" icon="down" label={t('Next (Alt+Down)')} disabled={position + 1 >= count} onClick={() => onStep(1)} />
          {acts}
          <Button kind="icon" icon="cross" label={t('Close (Escape)')} onClick={onClose} />
        </div>
      </div>
      {problem === undefined ? null : (
        <p class="pairProblem problem" role="alert">
          {problem}
        </p>
      )}
      {pair === undefined || problem !== undefined ? null : (
        <>
          {above}
          <div class="pairSides" ref={shown}>
            {sides}
          </div>
        </>
      )}
    </section>
  );
}
