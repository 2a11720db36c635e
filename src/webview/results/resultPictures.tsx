import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { toNumber } from '../../shared/formats';
import type { SurveyBar, SurveyPicture } from '../../shared/results/resultsProtocol';
import { Panel } from '../controls/panelContext';
import { useResults } from './useShownResults';

/** Charts of the rows. Each bar filters the table. */
export function Pictures(): VNode {
  const { survey, revision } = useResults().store;
  const { t } = useContext(Panel);
  return (
    <section class="pictures" aria-label={t('Charts')} aria-busy={survey?.revision !== revision}>
      {survey === undefined ? <p class="faint">{t('Loading…')}</p> : null}
      {survey?.problem === undefined ? null : <p class="problem">{survey.problem}</p>}
      {(survey?.pictures ?? []).map(picture => (
        <Picture key={picture.name} {...picture} />
      ))}
    </section>
  );
}

function Picture({ name, bars, summary }: SurveyPicture): VNode {
  const maxCount = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <figure class="picture">
      <figcaption>
        <h2>{name}</h2>
        {summary === undefined ? null : <p class="pictureSummary faint">{summary}</p>}
      </figcaption>
      <ul class="bars">
        {bars.map(bar => (
          <li key={bar.label}>
            <Bar bar={bar} share={bar.count / maxCount} />
          </li>
        ))}
      </ul>
    </figure>
  );
}

function Bar({ bar: { label, count, query, mark, detail }, share }: { readonly bar: SurveyBar; readonly share: number }): VNode {
  const { shown } = useResults();
  const isCurrent = query === shown.query;
  const { t, locale } = useContext(Panel);
  const words = t('{0}: {1}', label, toNumber(count, locale));
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
          shown.filter(isCurrent ? '' : query);
        }
      }}
    >
      <span class="barLabel cutEnd">{label}</span>
      <span class={`fill fill-${mark ?? 'plain'}`} style={{ width: percent }} />
      <span class="barCount">{toNumber(count, locale)}</span>
    </button>
  );
}
