import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Lanes } from '../../../shared/session/facts/lanes';
import { toLabel } from '../../../shared/text';
import { toCount, toDuration } from '../controls/numbers';
import { Panel } from '../panelContext';
import { laneKinds } from './laneModel';
import { toKindWord } from './laneWords';

/** What the lanes show, in numbers: how often and how long each thread did what. */
export function LaneTable({ lanes: { axis, lanes } }: { lanes: Lanes }): VNode {
  const panel = useContext(Panel);
  const { t, locale } = panel;
  const kinds = laneKinds.toReversed();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="pictures-scroll" tabIndex={0} aria-label={t('Timing')}>
      <table class="pictures-table">
        <caption class="only-read-aloud">{t('How often and how long each thread did what')}</caption>
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
    </section>
  );
}
