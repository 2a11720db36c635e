import type { VNode } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import { ownValue } from '../../../shared/isRecord';
import type { Row } from '../../../shared/session/rows/rows';
import { Button } from '../../controls/button';
import { useWindowKeys } from '../../controls/focus';
import { Icon } from '../../controls/icon';
import { toMoment } from '../../controls/numbers';
import { Panel, useRemembered } from '../../controls/panelContext';
import { useSampled } from '../sampled';
import { momentAt, pauseBefore, type ReplayMark, type StepBy, stepFrom, toReplayMarks } from './replaySteps';

const speeds = [1, 2, 5, 10, 50, 200];

interface ReplayBarProps {
  /** Rows of the log up to `seq`. The rows change in place. */
  readonly rows: readonly Row[];
  /** Sequence number of the last event that is shown. `undefined` shows all events. */
  readonly seq: number | undefined;
  readonly onSeek: (seq: number, isLast: boolean) => void;
}

/**
 * Replays a session: a slider over its events, and playback with the original pauses at a chosen speed. Keys step by event (`[` and `]`),
 * message (`{` and `}`) or error (`(` and `)`). These keys work everywhere except in text fields.
 */
export function ReplayBar({ rows, seq: shown, onSeek }: ReplayBarProps): VNode {
  const { t, locale } = useContext(Panel);
  const [isPlaying, setPlaying] = useState(false);
  const [speedText, setSpeed] = useRemembered('replaySpeed', '10');
  const speed = speeds.find(value => String(value) === speedText) ?? 10;
  const all = useRef<readonly ReplayMark[]>([]);
  const marks = useSampled(() => {
    // Before the first step, all rows are present. After a step to the end, some rows may not have arrived yet.
    const found = shown === undefined ? toReplayMarks(rows) : [];
    all.current = found.length < all.current.length ? all.current : found;
    return all.current;
  }, [rows, rows.length, shown]);
  const lastSeq = marks.at(-1)?.seq ?? 0;
  const seq = Math.min(shown ?? lastSeq, lastSeq);
  const isAtEnd = seq >= lastSeq;
  const seek = (to: number): void => onSeek(to, to >= lastSeq);
  const latest = useRef({ seq, lastSeq, marks, seek });
  latest.current = { seq, lastSeq, marks, seek };
  const dragged = useRef<number>(undefined);

  const step = (by: StepBy, direction: 1 | -1): void => {
    const now = latest.current;
    const next = stepFrom(now.marks, now.seq, now.lastSeq, by, direction);
    setPlaying(false);
    if (next !== undefined) {
      now.seek(next);
    }
  };
  useWindowKeys(event => {
    const act = ownValue(keys, event.key);
    if (act !== undefined && !event.ctrlKey && !event.metaKey && !event.defaultPrevented && !isWriting(event.target)) {
      event.preventDefault();
      step(...act);
    }
  });
  useEffect(() => {
    if (!isPlaying) {
      return undefined;
    }
    if (isAtEnd) {
      setPlaying(false);
      return undefined;
    }
    // With reduced motion, each event stays visible for a while.
    const minPause = window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 500 : 0;
    const timer = setTimeout(() => latest.current.seek(seq + 1), pauseBefore(latest.current.marks, seq, speed, minPause));
    return () => clearTimeout(timer);
  }, [isPlaying, isAtEnd, seq, speed]);

  const words = timeWords(marks, seq, locale);
  const position = t('Event {0} of {1}', toNumber(seq + 1, locale), toNumber(lastSeq + 1, locale));
  const can = (by: StepBy, direction: 1 | -1): boolean => stepFrom(marks, seq, lastSeq, by, direction) !== undefined;
  return (
    <section class="replay" aria-label={t('Replay')}>
      <div class="flexLine">
        <span class="replay-end cutEnd faint">{timeWords(marks, 0, locale)}</span>
        <input
          type="range"
          class="replay-range"
          aria-label={t('Position')}
          aria-valuetext={words === '' ? position : `${position}, ${words}`}
          min={0}
          max={Math.max(0, lastSeq)}
          step={1}
          value={seq}
          onInput={event => {
            setPlaying(false);
            // A drag reports more positions than can be rendered.
            if (dragged.current === undefined) {
              requestAnimationFrame(() => {
                const to = dragged.current ?? latest.current.seq;
                dragged.current = undefined;
                latest.current.seek(to);
              });
            }
            dragged.current = Number(event.currentTarget.value);
          }}
        />
        <span class="replay-end cutEnd faint">{timeWords(marks, lastSeq, locale)}</span>
      </div>
      <div class="flexWrap">
        <Button
          kind="icon"
          icon={isPlaying ? 'pause' : 'play'}
          label={isPlaying ? t('Pause') : t('Play')}
          disabled={lastSeq < 1}
          onClick={() => {
            if (!isPlaying && isAtEnd) {
              seek(0);
            }
            setPlaying(!isPlaying);
          }}
        />
        <StepPair by="event" words={[t('Previous Event ([)'), t('Next Event (])')]} can={can} step={step} />
        <StepPair by="message" icon="message" words={[t('Previous Message ({)'), t('Next Message (})')]} can={can} step={step} />
        <StepPair by="error" icon="error" words={[t('Previous Problem (()'), t('Next Problem ())')]} can={can} step={step} />
        <label class="replay-speed">
          <span class="only-read-aloud">{t('Speed')}</span>
          <select class="select" value={String(speed)} onChange={event => setSpeed(event.currentTarget.value)}>
            {speeds.map(value => (
              <option key={value} value={String(value)}>
                {t('{0}×', value)}
              </option>
            ))}
          </select>
        </label>
        <span class="replay-position faint">
          {position}
          {words === '' ? '' : ` · ${words}`}
        </span>
      </div>
    </section>
  );
}

interface StepPairProps {
  readonly by: StepBy;
  readonly icon?: 'message' | 'error';
  readonly words: readonly [back: string, on: string];
  readonly can: (by: StepBy, direction: 1 | -1) => boolean;
  readonly step: (by: StepBy, direction: 1 | -1) => void;
}

function StepPair({ by, icon, words, can, step }: StepPairProps): VNode {
  return (
    <span class="replay-pair flexLine faint">
      <Button kind="icon" icon="chevronLeft" label={words[0]} disabled={!can(by, -1)} onClick={() => step(by, -1)} />
      {icon && <Icon name={icon} />}
      <Button kind="icon" icon="chevronRight" label={words[1]} disabled={!can(by, 1)} onClick={() => step(by, 1)} />
    </span>
  );
}

const keys: Readonly<Record<string, readonly [StepBy, 1 | -1]>> = {
  '[': ['event', -1],
  ']': ['event', 1],
  '{': ['message', -1],
  '}': ['message', 1],
  '(': ['error', -1],
  ')': ['error', 1],
};

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['range', 'checkbox', 'button'].includes(target.type)) ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

function timeWords(marks: readonly ReplayMark[], seq: number, locale: string): string {
  const at = momentAt(marks, seq);
  return at === undefined ? '' : toMoment(at, locale, Date.now());
}
