import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Lanes, LaneSegment } from '../../../shared/session/facts/lanes';
import type { QuietStretch } from '../../../shared/session/facts/quietStretches';
import { toLabel } from '../../../shared/text';
import { toCount, toDuration } from '../../controls/numbers';
import { Panel, type PanelContext } from '../../controls/panelContext';
import { laneKinds } from './laneModel';
import { NumbersTable, Scroller } from './numbersTable';
import { toOffset } from './timeSpan';
import type { Translate } from '../../../shared/session/translateText';

/** The lanes as a table: count and duration of each thread's activities, and the long waits with their start in the session. */
export function LaneTable({ lanes: { axis, from: origin, lanes }, quiet }: { lanes: Lanes; quiet: readonly QuietStretch[] }): VNode {
  const panel = useContext(Panel);
  const { t, locale } = panel;
  const kinds = laneKinds.toReversed();
  return (
    <Scroller label={t('Timing')}>
      <NumbersTable
        caption={t('Time by thread')}
        columns={[t('Thread'), ...kinds.map(kind => toKindWord(kind, t))]}
        rows={lanes.map(({ thread, name, states, work }) => ({
          key: thread,
          cells: [
            toLabel(name),
            ...kinds.map(kind => {
              const all = [...states, ...work].filter(segment => segment.kind === kind);
              const length = all.reduce((sum, { from, to }) => sum + to - from, 0);
              const count = toCount(all.length, locale);
              return all.length === 0 ? '–' : axis === 'time' ? `${count} · ${toDuration(length, panel)}` : count;
            }),
          ],
        }))}
      />
      {quiet.length === 0 ? null : (
        <NumbersTable
          caption={t('Long waits')}
          captionClass="pictures-caption"
          columns={[t('From'), t('To'), t('Length'), t('Reason')]}
          rows={quiet.map(wait => ({
            key: wait.from,
            cells: [
              toOffset(wait.from - origin, 1000),
              toOffset(wait.to - origin, 1000),
              toDuration(wait.to - wait.from, panel),
              toWaitWords(wait, t),
            ],
          }))}
        />
      )}
    </Scroller>
  );
}

/** Returns the name of a segment kind. */
export function toKindWord(kind: LaneSegment['kind'], t: Translate): string {
  return {
    idle: t('idle'),
    running: t('running'),
    model: t('model'),
    tool: t('tool'),
    waiting: t('waiting for you'),
  }[kind];
}

/** Returns the reason for a long wait. */
export function toWaitWords({ isWaiting }: QuietStretch, t: Translate): string {
  return isWaiting ? t('waiting for you') : t('no activity');
}

/** Describes a segment in one line: its kind, its name, and how long it took, or its first and last event. */
export function toSegmentWords({ kind, from, to }: LaneSegment, name: string, axis: Lanes['axis'], panel: PanelContext): string {
  const { t } = panel;
  const what = toKindWord(kind, t);
  const length = axis === 'time' ? toDuration(to - from, panel) : t('events {0} to {1}', from + 1, to + 1);
  return [name === '' ? what : `${what}: ${toLabel(name)}`, length].join(', ');
}
