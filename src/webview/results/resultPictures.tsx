import type { VNode } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import type { SurveyBar, SurveyPicture } from '../../shared/results/resultsProtocol';
import { toCount } from '../session/controls/numbers';
import { Panel } from '../session/panelContext';
import './pictures.css';
import type { ResultsStore } from './resultsStore';
import { useRoomForNumbers } from './useRoomForNumbers';

interface PicturesProps {
  readonly survey: ResultsStore['survey'];
  /** Those of the rows that are shown are not here yet. */
  readonly isComing: boolean;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

/** What the rows are like as a whole, as bars with their words and numbers; each leads to the rows it stands for. */
export function Pictures({ survey, isComing, query, onQuery }: PicturesProps): VNode {
  const { t } = useContext(Panel);
  return (
    <section class="pictures" aria-label={t('Summary')} aria-busy={isComing}>
      {survey === undefined ? <p class="faint">{t('Looking through the results…')}</p> : null}
      {survey?.problem === undefined ? null : <p class="problem">{survey.problem}</p>}
      {(survey?.pictures ?? []).map(picture => (
        <Picture key={picture.name} picture={picture} query={query} onQuery={onQuery} />
      ))}
    </section>
  );
}

function Picture({
  picture: { name, kind, bars, summary },
  query,
  onQuery,
}: { picture: SurveyPicture } & Pick<PicturesProps, 'query' | 'onQuery'>): VNode {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const list = useRef<HTMLUListElement>(null);
  useRoomForNumbers(list, kind === 'histogram' ? bars : undefined);
  return (
    <figure class={`picture picture-${kind}`}>
      <figcaption>
        <h2>{name}</h2>
        {summary === undefined ? null : <p class="pictureSummary">{summary}</p>}
      </figcaption>
      <ul class="bars" ref={list}>
        {bars.map(bar => (
          <li key={bar.label}>
            <Bar bar={bar} share={bar.count / most} isUpright={kind === 'histogram'} isCurrent={bar.query === query} onQuery={onQuery} />
          </li>
        ))}
      </ul>
    </figure>
  );
}

interface BarProps {
  readonly bar: SurveyBar;
  readonly share: number;
  readonly isUpright: boolean;
  readonly isCurrent: boolean;
  readonly onQuery: (query: string) => void;
}

function Bar({ bar: { label, count, query, mark, detail }, share, isUpright, isCurrent, onQuery }: BarProps): VNode {
  const { t, locale } = useContext(Panel);
  const words = t('{0}: {1}', label, toCount(count, locale));
  const percent = `${count === 0 ? 0 : Math.max(1, Math.round(share * 100))}%`;
  const fill = <span class={`fill fill-${mark ?? 'plain'}`} style={isUpright ? { height: percent } : { width: percent }} />;
  const isDisabled = query === undefined || count === 0;
  return (
    <button
      type="button"
      class="bar"
      aria-label={detail === undefined ? words : `${words}. ${detail}`}
      aria-pressed={isCurrent}
      aria-disabled={isDisabled}
      title={detail === undefined ? words : `${words}\n${detail}`}
      onClick={() => {
        if (!isDisabled) {
          onQuery(isCurrent ? '' : query);
        }
      }}
    >
      {isUpright ? (
        <>
          <span class="barCount">{count === 0 ? '' : toCount(count, locale)}</span>
          <span class="track">{fill}</span>
          <span class="barLabel">{label}</span>
        </>
      ) : (
        <>
          <span class="barLabel">{label}</span>
          <span class="track">{fill}</span>
          <span class="barCount">{toCount(count, locale)}</span>
        </>
      )}
    </button>
  );
}
