import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { TableSubject } from '../../shared/results/resultsProtocol';
import { Button } from '../session/controls/button';
import { toCount } from '../session/controls/numbers';
import { Panel } from '../session/panelContext';
import { countPlaces, type PlaceRanges } from './placeRanges';

interface SelectionBarProps {
  readonly selected: PlaceRanges;
  readonly count: number;
  readonly subject: TableSubject;
  readonly onCopy: (as: 'ids' | 'tsv' | 'json') => void;
  readonly onFile: (what: 'requests' | 'results') => void;
  readonly onClear: () => void;
}

/** What can be done with the rows that are selected. */
export function SelectionBar({ selected, count, subject, onCopy, onFile, onClear }: SelectionBarProps): VNode | null {
  const { t, locale } = useContext(Panel);
  const chosen = countPlaces(selected);
  if (chosen === 0) {
    return null;
  }
  const words = chosen === 1 ? t('1 row selected') : t('{0} rows selected', toCount(chosen, locale));
  return (
    <div class="selectionBar" role="toolbar" aria-label={t('Selected rows')}>
      <span role="status">{chosen === count && count > 1 ? t('All {0} rows selected', toCount(chosen, locale)) : words}</span>
      <Button icon="copy" onClick={() => onCopy('ids')}>
        {t('Copy Ids')}
      </Button>
      <Button onClick={() => onCopy('tsv')}>{t('Copy Rows')}</Button>
      <Button onClick={() => onCopy('json')}>{t('Copy as JSON')}</Button>
      <Button icon="file" onClick={() => onFile('requests')}>
        {t('Requests to New File…')}
      </Button>
      {subject === 'requests' ? null : <Button onClick={() => onFile('results')}>{t('Results to New File…')}</Button>}
      <Button look="link" onClick={onClear}>
        {t('Clear Selection')}
      </Button>
    </div>
  );
}
