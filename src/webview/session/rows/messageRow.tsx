import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Delivery, MessageRow, ThinkingRow } from '../../../shared/session/rows/rows';
import { Icon } from '../../controls/icon';
import { toDuration } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';
import type { RowProps } from '../rowsContext';
import { visible } from '../../controls/text/visibleText';
import { PartView } from './part';
import { RowLine } from './rowLine';

/** A message of the user, the agent or the system, as Markdown. */
export function MessageRowView({ row, isOpen }: RowProps<MessageRow>): VNode {
  const { t } = useContext(Panel);
  const speaker = row.kind === 'user' ? t('You') : row.kind === 'agent' ? t('Agent') : t('System');
  const icon = row.kind === 'user' ? 'person' : row.kind === 'agent' ? 'agent' : 'info';
  return (
    <>
      <RowLine row={row} icon={icon} isOpen={isOpen} facts={row.preview === true ? t('writing…') : <DeliveryMark row={row} />}>
        <b>{speaker}</b>
        {isOpen ? null : <> {visible(row.summary)}</>}
      </RowLine>
      {isOpen ? (
        <div class={row.preview === true ? 'rowBody preview' : 'rowBody'}>
          {row.parts.map((part, index) => (
            // The index is a stable key: parts never change their order.
            <PartView key={index} part={part} rowKey={row.key} path={`parts.${index}`} isMarkdown />
          ))}
        </div>
      ) : null}
      {row.delivery === 'failed' ? <div class="rowBody problem">{failure(row.problem, t('Not sent.'))}</div> : null}
    </>
  );
}

function failure(problem: string | undefined, otherwise: string): ReturnType<typeof visible> | string {
  return problem === undefined || problem === '' ? otherwise : visible(problem);
}

/** Delivery state of the user's own message, if worth showing. */
export function DeliveryMark({ row }: { row: { readonly delivery?: Delivery } }): VNode | null {
  const { t } = useContext(Panel);
  switch (row.delivery) {
    case 'sending':
      return (
        <span class="delivery">
          <Icon name="running" spin /> {t('sending')}
        </span>
      );
    case 'queued':
      return (
        <span class="delivery" title={t('Queued')}>
          {t('queued')}
        </span>
      );
    case 'undelivered':
      return (
        <span class="delivery failed" title={t("The agent didn't receive it.")}>
          {t('not delivered')}
        </span>
      );
    case 'failed':
      return <span class="delivery failed">{t('not sent')}</span>;
    default:
      return null;
  }
}

/** The agent's thinking, folded, with its length. */
export function ThinkingRowView({ row, isOpen }: RowProps<ThinkingRow>): VNode {
  const { t, locale } = useContext(Panel);
  const hasText = row.parts.length > 0;
  return (
    <>
      <RowLine row={row} icon="thinking" isOpen={hasText ? isOpen : undefined}>
        {row.preview === true
          ? t('Thinking…')
          : row.durationMs === undefined
            ? t('Thought')
            : t('Thought for {0}', toDuration(row.durationMs, { t, locale }))}
      </RowLine>
      {hasText && isOpen ? (
        <div class="rowBody faint">
          {row.parts.map((part, index) => (
            <PartView key={index} part={part} rowKey={row.key} path={`parts.${index}`} isMarkdown />
          ))}
        </div>
      ) : null}
    </>
  );
}
