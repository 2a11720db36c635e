import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { SurveyBar, SurveyPicture } from '../../shared/results/resultsProtocol';
import { toCount } from '../controls/numbers';
import { Panel } from '../controls/panelContext';
import './pictures.css';
import type { ResultsStore } from './resultsStore';

interface PicturesProps {
  readonly survey: ResultsStore['survey'];
  readonly isComing: boolean;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

/** Charts of the rows. Each bar filters the table. */
export function Pictures({ survey, isComing, query, onQuery }: PicturesProps): VNode {
  const { t } = useContext(Panel);
  return (
    <section class="pictures" aria-label={t('Charts')} aria-busy={isComing}>
      {survey === undefined ? <p class="faint">{t('Loading…')}</p> : null}
      {survey?.problem === undefined ? null : <p class="problem">{survey.problem}</p>}
      {(survey?.pictures ?? []).map(picture => (
        <Picture key={picture.name} picture={picture} query={query} onQuery={onQuery} />
      ))}
    </section>
  );
}

function Picture({
  picture: { name, bars, summary },
  query,
  onQuery,
}: { picture: SurveyPicture } & Pick<PicturesProps, 'query' | 'onQuery'>): VNode {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <figure class="picture">
      <figcaption>
        <h2>{name}</h2>
        {summary === undefined ? null : <p class="pictureSummary faint">{summary}</p>}
      </figcaption>
      <ul class="bars">
        {bars.map(bar => (
          <li key={bar.label}>
            <Bar bar={bar} share={bar.count / most} isCurrent={bar.query === query} onQuery={onQuery} />
          </li>
        ))}
      </ul>
    </figure>
  );
}

interface BarProps {
  readonly bar: SurveyBar;
  readonly share: number;
  readonly isCurrent: boolean;
  readonly onQuery: (query: string) => void;
}

function Bar({ bar: { label, count, query, mark, detail }, share, isCurrent, onQuery }: BarProps): VNode {
  const { t, locale } = useContext(Panel);
  const words = t('{0}: {1}', label, toCount(count, locale));
  const percent = `${count === 0 ? 0 : Math.max(1, Math.round(share * 100))}%`;
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
      <span class="barLabel cutEnd">{label}</span>
      <span class={`fill fill-${mark ?? 'plain'}`} style={{ width: percent }} />
      <span class="barCount">{toCount(count, locale)}</span>
    </button>
  );
}
