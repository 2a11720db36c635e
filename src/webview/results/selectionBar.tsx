import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { RowsAct, TableSubject } from '../../shared/results/resultsProtocol';
import { Button } from '../controls/button';
import { toCount } from '../controls/numbers';
import { Panel } from '../controls/panelContext';
import { countPositions, type PositionRanges } from './positionRanges';

interface SelectionBarProps {
  readonly selected: PositionRanges;
  readonly count: number;
  readonly subject: TableSubject;
  readonly onAct: (act: RowsAct) => void;
  readonly onClear: () => void;
}

export function SelectionBar({ selected, count, subject, onAct, onClear }: SelectionBarProps): VNode | null {
  const { t, locale } = useContext(Panel);
  const chosen = countPositions(selected);
  if (chosen === 0) {
    return null;
  }
  const words = t('{0} selected', toCount(chosen, locale));
  return (
    <div class="selectionBar" role="toolbar" aria-label={t('Selected rows')}>
      <span role="status">{chosen === count && count > 1 ? t('All {0} selected', toCount(chosen, locale)) : words}</span>
      <Button onClick={() => onAct('copyRows')}>{t('Copy Rows')}</Button>
      <Button onClick={() => onAct('copyIds')}>{t('Copy IDs')}</Button>
      <Button onClick={() => onAct('copyJson')}>{t('Copy as JSON')}</Button>
      <Button onClick={() => onAct('saveRequests')}>{t('Save Requests to New File…')}</Button>
      {subject === 'requests' ? null : <Button onClick={() => onAct('saveResults')}>{t('Export')}</Button>}
      <Button look="link" onClick={onClear}>
        {t('Clear Selection')}
      </Button>
    </div>
  );
}
