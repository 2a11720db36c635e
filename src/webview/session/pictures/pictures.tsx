import type { VNode } from 'preact';
import { useContext, useId, useMemo } from 'preact/hooks';
import './pictures.css';
import type { Row } from '../../../shared/session/rows/rows';
import { Button } from '../../controls/button';
import { Panel, useRemembered, useRememberedFlag } from '../../controls/panelContext';
import { Tabs } from '../../controls/tabs';
import { useSampled } from '../sampled';
import { type ChartProps, useLanes } from './chart';
import type { Lanes } from './lanes';
import { LanesView } from './lanesView';
import { LaneTable, ToolTable } from './tables';
import { CostChart, TokensChart } from './usageCharts';

const tabs = ['timing', 'tools', 'tokens', 'cost'] as const;

/** Charts of the session: activities of each thread, tool statistics, and tokens and cost over time. Each is also available as a table. */
export function Pictures(props: Omit<ChartProps, 'isTable'>): VNode {
  const { t } = useContext(Panel);
  const [remembered, setTab] = useRemembered('picture', 'timing');
  const [isTable, setTable] = useRememberedFlag('pictureAsTable', false);
  const shown = tabs.find(tab => tab === remembered) ?? 'timing';
  const id = useId();
  const names: Readonly<Record<(typeof tabs)[number], string>> = {
    timing: t('Timing'),
    tools: t('Tools'),
    tokens: t('Tokens'),
    cost: t('Cost'),
  };
  const View = { timing: Timing, tools: ToolTable, tokens: TokensChart, cost: CostChart }[shown];
  return (
    <section class="pictures" aria-label={t('Charts')}>
      <div class="pictures-line flexWrap">
        <Tabs label={t('Charts')} tabs={tabs.map(tab => ({ id: tab, content: names[tab] }))} shown={shown} onShow={setTab} panelId={id} />
        {shown === 'tools' ? null : (
          <Button kind="link" isPressed={isTable} onClick={() => setTable(!isTable)}>
            {t('Show as Table')}
          </Button>
        )}
      </div>
      <div class="pictures-body" role="tabpanel" id={id} aria-labelledby={`${id}-${shown}`}>
        <View {...props} isTable={isTable} />
      </div>
    </section>
  );
}

function Timing(props: ChartProps): VNode {
  const { rows, selectedKey, onSelect, isTable } = props;
  const { t } = useContext(Panel);
  const { lanes, quiet, isForced, setAxis } = useLanes(props);
  const names = useSampled(() => toToolNames(rows), [rows]);
  const selectedAt = useMemo(() => positionOf(rows, selectedKey, lanes.axis), [rows, selectedKey, lanes]);
  if (lanes.lanes.every(({ states, work }) => states.length === 0 && work.length === 0)) {
    return <p class="pictures-empty faint">{t('No data yet')}</p>;
  }
  const canChoose = lanes.reason === 'wholeSeconds' || isForced;
  return (
    <>
      {lanes.axis === 'order' ? <p class="pictures-empty faint">{t('Events are shown in order, not by time.')}</p> : null}
      {canChoose ? (
        <Button kind="link" onClick={() => setAxis(lanes.axis === 'order' ? 'time' : 'order')}>
          {lanes.axis === 'order' ? t('Show by Time') : t('Show by Event Order')}
        </Button>
      ) : null}
      {isTable ? (
        <LaneTable lanes={lanes} quiet={quiet} />
      ) : (
        <LanesView lanes={lanes} quiet={quiet} names={names} selectedKey={selectedKey} selectedAt={selectedAt} onSelect={onSelect} />
      )}
    </>
  );
}

function toToolNames(rows: readonly Row[]): ReadonlyMap<string, string> {
  return new Map(rows.flatMap(row => (row.kind === 'tool' ? [[row.key, row.name] as const] : [])));
}

function positionOf(rows: readonly Row[], key: string | undefined, axis: Lanes['axis']): number | undefined {
  const row = key === undefined ? undefined : rows.find(candidate => candidate.key === key);
  return axis === 'time' ? row?.at : row?.seq;
}
