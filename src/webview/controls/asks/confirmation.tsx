import type { VNode } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../button';
import { onFormKey } from '../focus';
import { toCount } from '../numbers';
import { Panel, useRemembered } from '../panelContext';

/** Maximum length of a reason in characters (API facts, section 8.1). */
const longestReason = 10_000;

export type Decision = { readonly result: 'allow' } | { readonly result: 'deny'; readonly denyMessage?: string };

interface ConfirmationProps {
  readonly eventId: string;
  readonly canAnswer: boolean;
  /** Reason why allowing is not possible yet; '' if it is. */
  readonly allowWaitsFor: string;
  readonly isReasonOpen: boolean;
  readonly onReasonOpen: (isOpen: boolean) => void;
  readonly onDecision: (decision: Decision) => void;
  readonly menu: VNode | null;
}

/** Buttons to allow, deny, or deny with a reason. None gets the focus by itself. */
export function Confirmation(props: ConfirmationProps): VNode {
  const { t } = useContext(Panel);
  const { canAnswer, allowWaitsFor, isReasonOpen, onReasonOpen, onDecision, menu } = props;
  return (
    <>
      <div class="ask-buttons flexWrap">
        <Button kind="primary" icon="check" disabled={!canAnswer || allowWaitsFor !== ''} onClick={() => onDecision({ result: 'allow' })}>
          {t('Allow (A)')}
        </Button>
        <Button icon="cross" disabled={!canAnswer} onClick={() => onDecision({ result: 'deny' })}>
          {t('Deny (D)')}
        </Button>
        <Button disabled={!canAnswer} isExpanded={isReasonOpen} onClick={() => onReasonOpen(!isReasonOpen)}>
          {t('Deny with Reason… (R)')}
        </Button>
        {menu}
      </div>
      {allowWaitsFor === '' ? null : <p class="hint">{allowWaitsFor}</p>}
      {isReasonOpen ? <Reason {...props} /> : null}
    </>
  );
}

function Reason({ eventId, canAnswer, onReasonOpen, onDecision }: ConfirmationProps): VNode {
  const { t, locale } = useContext(Panel);
  const [reason, setReason] = useRemembered(`reason ${eventId}`);
  const field = useRef<HTMLTextAreaElement>(null);
  // Focuses before the next paint, so that the next key reaches the field.
  useLayoutEffect(() => field.current?.focus(), []);
  const isTooLong = Array.from(reason).length > longestReason;
  const canSend = canAnswer && reason.trim() !== '' && !isTooLong;
  const send = (): void => {
    if (canSend) {
      onDecision({ result: 'deny', denyMessage: reason });
    }
  };
  return (
    <div class="ask-form">
      <label>
        {t('Reason (sent to agent)')}
        <textarea
          class="field"
          ref={field}
          rows={2}
          value={reason}
          onInput={event => setReason(event.currentTarget.value)}
          onKeyDown={event => onFormKey(event, send, () => onReasonOpen(false))}
        />
      </label>
      {isTooLong ? <p class="problem">{t('Use at most {0} characters.', toCount(longestReason, locale))}</p> : null}
      <div class="ask-buttons flexWrap">
        <Button disabled={!canSend} onClick={send}>
          {t('Deny')}
        </Button>
        <span class="hint">{t('Ctrl+Enter sends, Escape closes')}</span>
      </div>
    </div>
  );
}
