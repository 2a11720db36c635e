import type { VNode } from 'preact';
import { useContext, useId, useMemo } from 'preact/hooks';
import './pictures.css';
import { type Lanes, toLanes } from '../../../shared/session/facts/lanes';
import { toQuietStretches } from '../../../shared/session/facts/quietStretches';
import { type OwnPrices, toCostOverTime } from '../../../shared/session/facts/requestCosts';
import { toTokensOverTime } from '../../../shared/session/facts/tokensOverTime';
import { toToolStatistics } from '../../../shared/session/facts/toolStatistics';
import type { Row } from '../../../shared/session/rows/rows';
import type { SessionView } from '../../../shared/session/sessionView';
import { Button } from '../../controls/button';
import { useSampled } from '../sampled';
import { Panel, useRemembered, useRememberedFlag } from '../../controls/panelContext';
import { Tabs } from '../../controls/tabs';
import { CostChart, TokensChart } from './usageCharts';
import { LanesView } from './lanesView';
import { LaneTable, ToolTable } from './tables';
import { minFold } from './timeFolds';

interface PicturesProps {
  /** Rows of the session's own log. They may change in place, and are then read again with a later render. */
  readonly rows: readonly Row[];
  readonly view: SessionView;
  readonly prices: OwnPrices | undefined;
  readonly selectedKey: string | undefined;
  readonly onSelect: (key: string) => void;
}

const tabs = ['timing', 'tools', 'tokens', 'cost'] as const;
type Tab = (typeof tabs)[number];

/** Charts of the session: activities of each thread, tool statistics, and tokens and cost over time. Each is also available as a table. */
export function Pictures(props: PicturesProps): VNode {
  const { t } = useContext(Panel);
  const [remembered, setTab] = useRemembered('picture', 'timing');
  const [isTable, setTable] = useRememberedFlag('pictureAsTable', false);
  const shown = tabs.find(tab => tab === remembered) ?? 'timing';
  const id = useId();
  const names: Readonly<Record<Tab, string>> = { timing: t('Timing'), tools: t('Tools'), tokens: t('Tokens'), cost: t('Cost') };
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
        {shown === 'timing' ? (
          <Timing {...props} isTable={isTable} />
        ) : shown === 'tools' ? (
          <Tools {...props} />
        ) : shown === 'tokens' ? (
          <Tokens {...props} isTable={isTable} />
        ) : (
          <Cost {...props} isTable={isTable} />
        )}
      </div>
    </section>
  );
}

function useLanes({ rows, view }: PicturesProps) {
  const [axis, setAxis] = useRemembered('laneAxis');
  const isForced = axis === 'time' || axis === 'order';
  const { lanes, quiet } = useSampled(() => {
    const sessionLanes = toLanes(rows, view.threads, { ...(isForced ? { axis } : {}), isComplete: view.runs !== undefined });
    return { lanes: sessionLanes, quiet: toQuietStretches(sessionLanes, rows, minFold) };
  }, [rows, axis]);
  return { lanes, quiet, isForced, setAxis };
}

function Timing(props: PicturesProps & { isTable: boolean }): VNode {
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

function Tools({ rows, onSelect }: PicturesProps): VNode {
  const tools = useSampled(() => toToolStatistics(rows), [rows]);
  return <ToolTable tools={tools} onSelect={onSelect} />;
}

function Tokens(props: PicturesProps & { isTable: boolean }): VNode {
  const { rows, isTable } = props;
  const { lanes, quiet } = useLanes(props);
  const tokens = useSampled(() => toTokensOverTime(rows), [rows]);
  return <TokensChart tokens={tokens} lanes={lanes} quiet={quiet} isTable={isTable} />;
}

function Cost(props: PicturesProps & { isTable: boolean }): VNode {
  const { rows, prices, isTable } = props;
  const { agent, budget } = props.view;
  const { lanes, quiet } = useLanes(props);
  const costs = useSampled(() => toCostOverTime(rows, { prices, agentModel: agent?.model }), [rows, prices, agent?.model]);
  const cap = budget !== undefined && 'cents' in budget ? budget : undefined;
  return <CostChart costs={costs} currency={prices?.currency ?? ''} budget={cap} lanes={lanes} quiet={quiet} isTable={isTable} />;
}

function toToolNames(rows: readonly Row[]): ReadonlyMap<string, string> {
  return new Map(rows.flatMap(row => (row.kind === 'tool' ? [[row.key, row.name] as const] : [])));
}

function positionOf(rows: readonly Row[], key: string | undefined, axis: Lanes['axis']): number | undefined {
  const row = key === undefined ? undefined : rows.find(candidate => candidate.key === key);
  return axis === 'time' ? row?.at : row?.seq;
}
