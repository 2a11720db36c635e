import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { OutcomeRow } from '../../../shared/session/rows/rows';
import { outcomeWords } from '../../../shared/session/rows/rowWords';
import { Panel } from '../../controls/panelContext';
import type { RowProps } from '../rowsContext';
import { visible } from '../../controls/text/visibleText';
import { DeliveryMark } from './messageRow';
import { PartView } from './part';
import { RowLine } from './rowLine';
import { Section } from './toolRowView';

/** A defined goal, or an evaluation of it with its result and explanation. */
export function OutcomeRowView({ row, isOpen }: RowProps<OutcomeRow>): VNode {
  const { t } = useContext(Panel);
  const hasBody = row.description !== undefined || row.rubric !== undefined || row.explanation !== undefined;
  const iteration =
    row.iteration === undefined
      ? undefined
      : row.maxIterations === undefined
        ? t('iteration {0}', row.iteration)
        : t('iteration {0} of {1}', row.iteration, row.maxIterations);
  return (
    <>
      <RowLine
        row={row}
        icon="outcome"
        isOpen={hasBody ? isOpen : undefined}
        facts={row.delivery === undefined || row.delivery === 'delivered' ? iteration : <DeliveryMark delivery={row.delivery} />}
      >
        <b>{visible(outcomeWords(row, t))}</b>
        {isOpen ? null : <> {visible(row.summary)}</>}
      </RowLine>
      {hasBody && isOpen ? (
        <div class="rowBody">
          {row.description === undefined ? null : <div class="plainText">{visible(row.description)}</div>}
          {row.explanation === undefined ? null : <div class="plainText">{visible(row.explanation)}</div>}
          {row.rubric === undefined ? null : (
            <Section title={t('Rubric')}>
              <PartView part={row.rubric} rowKey={row.key} path="rubric" />
            </Section>
          )}
        </div>
      ) : null}
      {row.delivery === 'failed' ? <div class="rowBody problem">{visible(row.problem ?? t('Not sent.'))}</div> : null}
    </>
  );
}
