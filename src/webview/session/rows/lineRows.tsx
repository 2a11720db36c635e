import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import { noteTitle } from '../../../shared/session/rows/noteEvents';
import {
  type Delivery,
  type ErrorRow,
  type GapRow,
  isOfCredential,
  type MessageRow,
  type ModelRow,
  type NoteRow,
  type OutcomeRow,
  type StatusRow,
  type ThinkingRow,
  type ThreadRow,
  type TokenBuckets,
  type UnknownRow,
} from '../../../shared/session/rows/rows';
import { modelWords, nextWords, outcomeWords, statusWords } from '../../../shared/session/rows/rowWords';
import type { Translate } from '../../../shared/session/translateText';
import { join } from '../../../shared/text';
import { Button } from '../../controls/button';
import { Icon, type IconName } from '../../controls/icon';
import { toDuration, toMoney } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';
import { visible } from '../../controls/text/visibleText';
import { type RowProps, Rows, threadNameOf } from '../rowsContext';
import { MessageParts, PartView } from './part';
import { RowLine } from './rowLine';
import { deliveryWords } from './rowName';
import { Section } from './toolRowView';

/** Icons of the states of a session or thread, and of an interrupt. */
export const statusIcons: Readonly<Record<string, IconName>> = {
  running: 'running',
  idle: 'idle',
  rescheduling: 'rescheduling',
  rescheduled: 'rescheduling',
  terminated: 'terminated',
  archived: 'archived',
  deleted: 'deleted',
  interrupt: 'pause',
};

/** A change of state, as a thin separator. */
export function StatusRowView({ row }: RowProps<StatusRow>): VNode {
  const { t } = useContext(Panel);
  const isNamed = threadNameOf(row, useContext(Rows)) !== undefined;
  return (
    <RowLine row={row} icon={statusIcons[row.status] ?? 'unknown'} isOpen={undefined}>
      {visible(statusWords(row, t))}
      {row.agentName === undefined || isNamed ? null : <> · {visible(row.agentName)}</>}
    </RowLine>
  );
}

/** An error of the service, and the next step. */
export function ErrorRowView({ row, isOpen }: RowProps<ErrorRow>): VNode {
  const { t, post } = useContext(Panel);
  const { thread, canWrite } = useContext(Rows);
  const next = nextWords(row.retry, t);
  return (
    <>
      <RowLine row={row} icon={row.retry === 'retrying' ? 'warning' : 'error'} isOpen={row.details === undefined ? undefined : isOpen}>
        {row.message === '' ? null : <b>{visible(row.message)}</b>} <span class="faint">{visible(row.errorType)}</span>
      </RowLine>
      {next === undefined ? null : <div class="rowBody">{visible(next)}</div>}
      {canWrite && isOfCredential(row) ? (
        <div class="rowBody">
          <Button kind="link" onClick={() => post({ type: 'fixCredential', thread, key: row.key })}>
            {t('Fix Credential...')}
          </Button>
        </div>
      ) : null}
      {isOpen && row.details !== undefined ? (
        <div class="rowBody">
          <Details row={row} />
        </div>
      ) : null}
    </>
  );
}

function Details({ row }: { readonly row: ErrorRow | NoteRow }): VNode | null {
  return row.details === undefined ? null : <PartView part={row.details} rowKey={row.key} path="details" />;
}

/** The start of a thread, or a message from one thread to another. */
export function ThreadRowView({ row, isOpen }: RowProps<ThreadRow>): VNode {
  const { t } = useContext(Panel);
  const { showThread, threadNames } = useContext(Rows);
  const words = row.step === 'created' ? t('Started') : row.step === 'sent' ? t('Message to') : t('Message from');
  const hasParts = row.parts.length > 0;
  return (
    <RowLine
      row={row}
      icon={row.step === 'created' ? 'thread' : row.step === 'sent' ? 'threadSent' : 'threadReceived'}
      isOpen={hasParts ? isOpen : undefined}
      action={
        row.otherThread === '' ? undefined : (
          <Button kind="link" onClick={() => showThread(row.otherThread)}>
            {t('Show Thread')}
          </Button>
        )
      }
      below={<MessageParts row={row} />}
    >
      {words} <b>{visible(threadNames.get(row.otherThread) ?? (row.agentName === '' ? row.otherThread : row.agentName))}</b>
      {hasParts && !isOpen ? <> {visible(row.summary)}</> : null}
    </RowLine>
  );
}

/** Icons of notes that don't have the common one, by event type. */
const noteIcons: Readonly<Record<string, IconName>> = { 'agent.thread_context_compacted': 'compaction' };

/** An event of `noteEvents.ts`, usage or an update: one line that opens to its details. */
export function NoteRowView({ row, isOpen }: RowProps<NoteRow>): VNode {
  const { t, locale } = useContext(Panel);
  const facts = join(' · ', row.tokens && tokensLine(row.tokens, t, locale), row.cost && toMoney(row.cost, locale));
  const title = row.kind === 'note' ? noteTitle(row, t) : row.kind === 'usage' ? t('Usage') : t('Update');
  return (
    <RowLine
      row={row}
      icon={row.kind === 'note' ? (noteIcons[row.type] ?? 'info') : row.kind}
      isOpen={row.details && isOpen}
      facts={facts}
      below={<Details row={row} />}
    >
      {title}
      {row.summary === '' ? null : <> · {visible(row.summary)}</>}
    </RowLine>
  );
}

/** One model request, with its tokens. */
export function ModelRowView({ row }: RowProps<ModelRow>): VNode {
  const { t, locale } = useContext(Panel);
  return (
    <RowLine
      row={row}
      icon={row.isError ? 'error' : row.end !== undefined ? 'model' : 'running'}
      spin={row.end === undefined}
      isOpen={undefined}
      facts={row.durationMs === undefined ? undefined : toDuration(row.durationMs, { t, locale })}
    >
      {modelWords(row, t)}
      {row.tokens === undefined ? null : <> · {tokensLine(row.tokens, t, locale)}</>}
    </RowLine>
  );
}

/** An event of an unknown type, shown completely. */
export function UnknownRowView({ row, isOpen }: RowProps<UnknownRow>): VNode {
  return (
    <RowLine row={row} icon="braces" isOpen={isOpen} below={<PartView part={row.json} rowKey={row.key} path="json" />}>
      <b>{visible(row.type)}</b> <span class="faint">{visible(row.summary)}</span>
    </RowLine>
  );
}

/** A gap: events may be missing here. */
export function GapRowView({ row }: RowProps<GapRow>): VNode {
  const { post, t } = useContext(Panel);
  return (
    <>
      <RowLine row={row} icon="warning" isOpen={undefined}>
        <b>{t('Events may be missing here')}</b>
      </RowLine>
      <div class="rowBody">
        {visible(row.problem)}{' '}
        <Button kind="link" onClick={() => post({ type: 'retryNow' })}>
          {t('Try Again')}
        </Button>
      </div>
    </>
  );
}

/** Formats the known token buckets: `1,200 in · 300 out · 9,000 from cache`. */
function tokensLine({ input, output, cacheRead, cacheWrite }: TokenBuckets, t: Translate, locale: string): string {
  return join(
    ' · ',
    input === undefined ? undefined : t('{0} in', toNumber(input, locale)),
    output === undefined ? undefined : t('{0} out', toNumber(output, locale)),
    cacheRead === undefined ? undefined : t('{0} read from cache', toNumber(cacheRead, locale)),
    cacheWrite === undefined ? undefined : t('{0} written to cache', toNumber(cacheWrite, locale)),
  );
}

/** A defined goal, or an evaluation of a goal with its result and explanation. */
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
        below={
          <>
            {row.description === undefined ? null : <div class="plainText">{visible(row.description)}</div>}
            {row.explanation === undefined ? null : <div class="plainText">{visible(row.explanation)}</div>}
            {row.rubric === undefined ? null : (
              <Section title={t('Rubric')}>
                <PartView part={row.rubric} rowKey={row.key} path="rubric" />
              </Section>
            )}
          </>
        }
      >
        <b>{visible(outcomeWords(row, t))}</b>
        {isOpen ? null : <> {visible(row.summary)}</>}
      </RowLine>
      {row.delivery === 'failed' ? <div class="rowBody problem">{visible(row.problem ?? t('Not sent.'))}</div> : null}
    </>
  );
}

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
function DeliveryMark({ delivery }: { readonly delivery: Delivery | undefined }): VNode | null {
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
