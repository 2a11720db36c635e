import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Lanes } from '../../../shared/session/facts/lanes';
import type { QuietStretch } from '../../../shared/session/facts/quietStretches';
import { toLabel } from '../../../shared/text';
import { toCount, toDuration } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';
import { laneKinds } from './laneModel';
import { toKindWord, toWaitWords } from './laneWords';
import { toOffset } from './timeSpan';

/** The lanes in numbers: how often and how long each thread did what, and the long waits. */
export function LaneTable({ lanes: { axis, from, lanes }, quiet }: { lanes: Lanes; quiet: readonly QuietStretch[] }): VNode {
  const panel = useContext(Panel);
  const { t, locale } = panel;
  const kinds = laneKinds.toReversed();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="pictures-scroll" tabIndex={0} aria-label={t('Timing')}>
      <table class="pictures-table">
        <caption class="only-read-aloud">{t('Time by thread')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Thread')}</th>
            {kinds.map(kind => (
              <th key={kind} scope="col">
                {toKindWord(kind, t)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lanes.map(({ thread, name, states, work }) => (
            <tr key={thread}>
              <th scope="row">{toLabel(name)}</th>
              {kinds.map(kind => {
                const all = [...states, ...work].filter(segment => segment.kind === kind);
                const length = all.reduce((sum, { from, to }) => sum + to - from, 0);
                return (
                  <td key={kind}>
                    {all.length === 0
                      ? '–'
                      : axis === 'time'
                        ? `${toCount(all.length, locale)} · ${toDuration(length, panel)}`
                        : toCount(all.length, locale)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <WaitTable quiet={quiet} origin={from} />
    </section>
  );
}

/** The long waits of the session, counted from its start like the axis of the lanes. */
function WaitTable({ quiet, origin }: { quiet: readonly QuietStretch[]; origin: number }): VNode | null {
  const panel = useContext(Panel);
  const { t } = panel;
  if (quiet.length === 0) {
    return null;
  }
  return (
    <table class="pictures-table">
      <caption class="pictures-caption">{t('Long waits')}</caption>
      <thead>
        <tr>
          {[t('From'), t('To'), t('Length'), t('Reason')].map(name => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {quiet.map(wait => (
          <tr key={wait.from}>
            <th scope="row">{toOffset(wait.from - origin, 1000)}</th>
            <td>{toOffset(wait.to - origin, 1000)}</td>
            <td>{toDuration(wait.to - wait.from, panel)}</td>
            <td>{toWaitWords(wait, t)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
