import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Delivery, MessageRow, ThinkingRow } from '../../../shared/session/rows/rows';
import { Icon } from '../../controls/icon';
import { toDuration } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';
import type { RowProps } from '../rowsContext';
import { visible } from '../../controls/text/visibleText';
import { MessageParts } from './part';
import { RowLine } from './rowLine';
import { deliveryWords } from './rowName';

/** A message of the user, the agent or the system, as Markdown. */
export function MessageRowView({ row, isOpen }: RowProps<MessageRow>): VNode {
  const { t } = useContext(Panel);
  const parts = <MessageParts row={row} />;
  const speaker = row.kind === 'user' ? t('You') : row.kind === 'agent' ? t('Agent') : t('System');
  const icon = row.kind === 'user' ? 'person' : row.kind === 'agent' ? 'agent' : 'info';
  return (
    <>
      <RowLine
        row={row}
        icon={icon}
        isOpen={isOpen}
        facts={row.preview === true ? t('writing…') : <DeliveryMark delivery={row.delivery} />}
        below={row.preview === true ? <div class="preview">{parts}</div> : parts}
      >
        <b>{speaker}</b>
        {isOpen ? null : <> {visible(row.summary)}</>}
      </RowLine>
      {row.delivery === 'failed' ? <div class="rowBody problem">{visible(row.problem || t('Not sent.'))}</div> : null}
    </>
  );
}

/** Delivery state of the user's own message, if worth showing. */
export function DeliveryMark({ delivery }: { readonly delivery: Delivery | undefined }): VNode | null {
  const { t } = useContext(Panel);
  const words = deliveryWords(delivery, t);
  const title = delivery === 'queued' ? t('Queued') : delivery === 'undelivered' ? t("The agent didn't receive it.") : undefined;
  return words === undefined ? null : (
    <span class={delivery === 'undelivered' || delivery === 'failed' ? 'delivery failed' : 'delivery'} title={title}>
      {delivery === 'sending' ? <Icon name="running" spin /> : null} {words}
    </span>
  );
}

/** The agent's thinking, folded, with its length. */
export function ThinkingRowView({ row, isOpen }: RowProps<ThinkingRow>): VNode {
  const { t, locale } = useContext(Panel);
  return (
    <RowLine
      row={row}
      icon="thinking"
      isOpen={row.parts.length > 0 ? isOpen : undefined}
      below={
        <div class="faint">
          <MessageParts row={row} />
        </div>
      }
    >
      {row.preview === true
        ? t('Thinking…')
        : row.durationMs === undefined
          ? t('Thought')
          : t('Thought for {0}', toDuration(row.durationMs, { t, locale }))}
    </RowLine>
  );
}
