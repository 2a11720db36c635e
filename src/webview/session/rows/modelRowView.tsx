import type { VNode } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { type ContextEntry, toRequestContext } from '../../../shared/session/facts/requestContext';
import type { ModelRow } from '../../../shared/session/rows/rows';
import type { Translate } from '../../../shared/session/translateText';
import { toLabel } from '../../../shared/text';
import { Button } from '../controls/button';
import { toCount, toDuration } from '../controls/numbers';
import { Panel } from '../panelContext';
import { RowLine } from './rowLine';
import { rowName } from './rowName';
import { type RowProps, Rows } from './rowsContext';
import { tokensLine } from './tokensLine';

/** One request to the model: a thin line with its tokens; opened, what events tell of what it was given to read. */
export function ModelRowView({ row, isOpen }: RowProps<ModelRow>): VNode {
  const { t, locale } = useContext(Panel);
  const state = row.isError ? t('Model request failed') : row.ended ? t('Model request') : t('Model request is running');
  return (
    <>
      <RowLine
        row={row}
        icon={row.isError ? 'error' : row.ended ? 'model' : 'running'}
        spin={!row.ended}
        isOpen={isOpen}
        facts={row.durationMs === undefined ? undefined : toDuration(row.durationMs, { t, locale })}
      >
        {state}
        {row.tokens === undefined ? null : <> · {tokensLine(row.tokens, t, locale)}</>}
      </RowLine>
      {isOpen ? <RequestContextView row={row} /> : null}
    </>
  );
}

/** More than these are only counted. */
const mostShown = 50;

function RequestContextView({ row }: { row: ModelRow }): VNode {
  const { t, locale } = useContext(Panel);
  const { rowsOf, reveal } = useContext(Rows);
  const { entries, before } = useMemo(() => toRequestContext(rowsOf(), row), [row, rowsOf]);
  const shown = entries.slice(-mostShown);
  return (
    <div class="rowBody requestContext">
      <p class="requestContext-words">
        {before === undefined
          ? t('What events tell that came before this request, the first one. It is not the prompt itself, which no event tells.')
          : t('What events tell that came since the request before. It is not the prompt itself, which no event tells.')}
      </p>
      {entries.length === 0 ? <p class="requestContext-words">{t('Nothing is told.')}</p> : null}
      {entries.length > shown.length ? (
        <p class="requestContext-words">{t('The last {0} of {1}:', toCount(shown.length, locale), toCount(entries.length, locale))}</p>
      ) : null}
      <ol class="requestContext-list">
        {shown.map(entry => (
          <li key={`${entry.row.key} ${entry.seq}`}>
            <Button look="link" onClick={() => reveal(entry.row.key)}>
              {toEntryWords(entry, t)}
            </Button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** What came, in one line. */
function toEntryWords({ row }: ContextEntry, t: Translate): string {
  if (row.kind !== 'tool') {
    return rowName(row, t);
  }
  const name = toLabel(row.name, 80);
  if (row.result === undefined) {
    return t('Refusal of {0}', name);
  }
  const [first] = row.result.parts;
  const said = first !== undefined && (first.type === 'text' || first.type === 'json') ? toLabel(first.text, 160) : '';
  const head = row.result.isError ? t('Error of {0}', name) : t('Result of {0}', name);
  return said === '' ? head : t('{0}: {1}', head, said);
}
