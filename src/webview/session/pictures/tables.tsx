import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import type { Row } from '../../../shared/session/rows/rows';
import type { Translate } from '../../../shared/session/translateText';
import { toLabel } from '../../../shared/text';
import { Button } from '../../controls/button';
import { Icon } from '../../controls/icon';
import { toDuration } from '../../controls/numbers';
import { Panel, type PanelContext } from '../../controls/panelContext';
import { useSampled } from '../sampled';
import { laneKinds } from './laneModel';
import type { LaneSegment, Lanes } from './lanes';
import type { QuietStretch } from './quietStretches';
import { toOffset } from './timeSpan';
import { toToolStatistics } from './toolStatistics';

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
              const count = toNumber(all.length, locale);
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

interface NumbersTableProps {
  readonly caption: string;
  /** CSS class of the caption. By default, the caption is only for screen readers, because a heading is visible above the table. */
  readonly captionClass?: string;
  readonly columns: readonly string[];
  /** The cells of each row. The first cell of a row is its header. */
  readonly rows: readonly { readonly key: string | number; readonly cells: readonly ComponentChildren[] }[];
}

/** The numbers of a chart as a table. */
export function NumbersTable({ caption, captionClass = 'only-read-aloud', columns, rows }: NumbersTableProps): VNode {
  return (
    <table class="pictures-table">
      <caption class={captionClass}>{caption}</caption>
      <thead>
        <tr>
          {columns.map(name => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [head, ...cells] }) => (
          <tr key={key}>
            <th scope="row">{head}</th>
            {cells.map((cell, index) => (
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A region with its own horizontal scroll bar. */
export function Scroller({ label, children }: { readonly label: string; readonly children: ComponentChildren }): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section class="pictures-scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** Tools with their calls, failures and times, most used first. */
export function ToolTable({ rows, onSelect }: { rows: readonly Row[]; onSelect: (key: string) => void }): VNode {
  const panel = useContext(Panel);
  const { t, locale } = panel;
  const tools = useSampled(() => toToolStatistics(rows, locale), [rows, locale]);
  if (tools.length === 0) {
    return <p class="pictures-empty faint">{t('No data yet')}</p>;
  }
  const time = (milliseconds: number | undefined): string => (milliseconds === undefined ? '–' : toDuration(milliseconds, panel));
  return (
    <Scroller label={t('Tools')}>
      <NumbersTable
        caption={t('Tool use')}
        columns={[t('Tool'), t('Calls'), t('Open'), t('Failures'), t('Denied'), t('Median'), t('Longest')]}
        rows={tools.map(({ tool, server, name, calls, open, failed, denied, medianMs, longestMs, longestKey }) => ({
          key: JSON.stringify([tool, server, name]),
          cells: [
            <>
              {toLabel(name)}
              {server === undefined ? null : <span class="faint"> {toLabel(server)}</span>}
            </>,
            toNumber(calls, locale),
            toNumber(open, locale),
            failed === 0 ? (
              toNumber(failed, locale)
            ) : (
              <span class="problem">
                <Icon name="error" />
                {toNumber(failed, locale)}
              </span>
            ),
            toNumber(denied, locale),
            time(medianMs),
            longestKey === undefined ? (
              '–'
            ) : (
              <Button kind="link" label={t('Show the longest call: {0}', time(longestMs))} onClick={() => onSelect(longestKey)}>
                {time(longestMs)}
              </Button>
            ),
          ],
        }))}
      />
    </Scroller>
  );
}
