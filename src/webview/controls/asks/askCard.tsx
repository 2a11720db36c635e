import type { RefObject, VNode } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import { ownValue } from '../../../shared/isRecord';
import { jsonOf } from '../../../shared/jsonOf';
import { askText } from '../../../shared/session/askText';
import { longestMessage } from '../../../shared/session/composing';
import { fileCallOf } from '../../../shared/session/fileChange';
import type { Ask } from '../../../shared/session/openAsks';
import type { Translate } from '../../../shared/session/translateText';
import { join, toLabel } from '../../../shared/text';
import { Button } from '../button';
import { onFormKey } from '../focus';
import { Icon } from '../icon';
import { Menu, type MenuItem } from '../menu';
import { toMoment } from '../numbers';
import { Panel, useRemembered, useRememberedFlag } from '../panelContext';
import { NotSent } from '../problem';
import { TextChunks } from '../text/longText';
import { visible } from '../text/visibleText';
import { toArgumentBlocks } from './argumentBlocks';
import { ArgumentsView, useAskArguments } from './argumentsView';
import { useAnswer, useFingerprint } from './useAnswer';

interface AskCardProps {
  readonly ask: Ask;
  readonly canWrite: boolean;
  /** Position of the ask among several, and buttons to its neighbours. `undefined` if there is only one ask. */
  readonly steps?: { readonly index: number; readonly count: number; readonly onStep: (by: 1 | -1) => void } | undefined;
  readonly onShow: ((rowKey: string) => void) | undefined;
  readonly card: RefObject<HTMLElement | null>;
  /** Called once the whole ask was on screen. */
  readonly onRead?: () => void;
}

/**
 * A card with one open ask and its complete content. While the card itself has the focus, A allows, D denies, and R denies with a reason.
 */
export function AskCard({ ask, canWrite, steps, onShow, card, onRead }: AskCardProps): VNode {
  const { t, locale, post } = useContext(Panel);
  const [isReasonOpen, setReasonOpen] = useState(false);
  const [isRaw, setRaw] = useState(false);
  const answer = useAnswer(ask, canWrite, card);
  const nameId = useId();
  const given = useAskArguments(ask);
  const fingerprint = useFingerprint(askText(ask.tool, ask.server, given.text));
  const { sending, canAnswer, isSettled } = answer;
  const [readText, setReadText] = useState<string>();
  const isRead = given.isWhole && isSettled && (given.text === '' || readText === given.text);
  useEffect(() => {
    if (isRead) {
      onRead?.();
    }
  }, [isRead]);

  const onDecision = (decision: Decision): void => {
    if (canAnswer && decision.result === 'deny') {
      answer.send({ type: 'confirm', ...decision });
    } else if (canAnswer && given.isWhole && fingerprint !== undefined) {
      answer.send({ type: 'confirm', ...decision, shown: fingerprint });
    }
  };
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    arrowright: steps && (() => steps.onStep(1)),
    arrowleft: steps && (() => steps.onStep(-1)),
    ...(ask.kind === 'confirmation'
      ? {
          a: () => onDecision({ result: 'allow' }),
          d: () => onDecision({ result: 'deny' }),
          r: () => setReasonOpen(canAnswer),
        }
      : { r: () => card.current?.querySelector<HTMLElement>('.ask-result')?.focus() }),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      return;
    }
    const act = ownValue(keys, event.key.toLowerCase());
    if (act !== undefined) {
      event.preventDefault();
      act();
    }
  };

  const { eventId, rowKey, tool } = ask;
  const { text, isWhole } = given;
  const blocks = useMemo(() => (isWhole ? toArgumentBlocks(tool, text) : undefined), [tool, text, isWhole]);
  const hasChange = useMemo(() => isWhole && fileCallOf(tool, text)?.change !== undefined, [tool, text, isWhole]);
  const links: readonly MenuItem[] = [
    ...(blocks?.some(({ type }) => type !== 'json') === true
      ? [{ label: isRaw ? t('Show Formatted') : t('Show as JSON'), onSelect: () => setRaw(!isRaw) }]
      : []),
    ...(text === ''
      ? []
      : [{ label: t('Open in Editor'), onSelect: () => post({ type: 'openPart', thread: '', key: eventId, path: 'ask' }) }]),
    ...(hasChange ? [{ label: t('Open Change'), onSelect: () => post({ type: 'openAskedChange', eventId }) }] : []),
    ...(onShow === undefined || rowKey === '' ? [] : [{ label: t('Show in Timeline'), onSelect: () => onShow(rowKey) }]),
  ];
  const menu = links.length === 0 ? null : <Menu label={t('More')} items={links} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on the card as a whole
    <article class="ask flexColumn" ref={card} tabIndex={0} aria-labelledby={nameId} onKeyDown={onKeyDown}>
      <div class="ask-head flexWrap">
        <Icon name={ask.kind === 'confirmation' ? 'waiting' : 'tool'} tone="warning" />
        <h2 class="ask-name" id={nameId}>
          {toQuestion(ask, t)}
        </h2>
        <span class="hint">
          {join(
            ' · ',
            ask.threadName !== undefined || ask.thread !== undefined ? t('Thread {0}', toLabel(ask.threadName ?? ask.thread ?? '')) : '',
            ask.at === undefined ? '' : toMoment(ask.at, locale, Date.now()),
          )}
        </span>
        {steps === undefined ? null : (
          <span class="ask-steps flexLine faint">
            {t('{0} of {1}', steps.index + 1, steps.count)}
            <Button kind="icon" icon="chevronLeft" label={t('Previous')} onClick={() => steps.onStep(-1)} />
            <Button kind="icon" icon="chevronRight" label={t('Next')} onClick={() => steps.onStep(1)} />
          </span>
        )}
      </div>
      <ArgumentsView ask={ask} given={given} blocks={isRaw ? undefined : blocks} onEnd={() => setReadText(given.text)} />
      {answer.isUnanswered ? <p class="problem">{t('The session is still waiting.')}</p> : null}
      <NotSent sending={sending} />
      {!canWrite ? (
        <div class="ask-buttons flexWrap">
          <span class="hint">{t("The arguments aren't available.")}</span>
          {menu}
        </div>
      ) : answer.isAnswering ? (
        <p class="ask-answering flexLine">
          <Icon name="running" spin />
          {answer.isFile && sending.state === 'sending' ? t('Select a file') : sending.state === 'sent' ? t('Answered') : t('Answering…')}
        </p>
      ) : ask.kind === 'confirmation' ? (
        <>
          <Confirmation
            eventId={ask.eventId}
            canAnswer={canAnswer}
            allowWaitsFor={given.isWhole ? '' : t('Load all arguments before you allow it.')}
            isReasonOpen={isReasonOpen}
            onReasonOpen={isOpen => {
              setReasonOpen(isOpen);
              if (!isOpen) {
                card.current?.focus();
              }
            }}
            onDecision={onDecision}
            menu={menu}
          />
          <Button kind="link" onClick={() => post({ type: 'makeRule', eventId })}>
            {t('Always Allow...')}
          </Button>
        </>
      ) : (
        <>
          <ToolDefinitionView ask={ask} />
          <CustomToolResult
            eventId={ask.eventId}
            canAnswer={canAnswer}
            onResult={(text, isError) => answer.send({ type: 'customResult', text, isError })}
            onFile={() => answer.send({ type: 'customResultFromFile' })}
            menu={menu}
          />
        </>
      )}
    </article>
  );
}

/** Returns the question that an ask puts to the user, in one line. */
export function toQuestion({ kind, tool, server }: Ask, t: Translate): string {
  const name = server === undefined ? toLabel(tool) : t('{0} of {1}', toLabel(tool), toLabel(server));
  return kind === 'confirmation' ? t('Allow {0} to run this?', name) : t('{0} needs a result', name);
}

/** Maximum length of a reason in characters (API facts, section 8.1). */
const longestReason = 10_000;

type Decision = { readonly result: 'allow' } | { readonly result: 'deny'; readonly denyMessage?: string };

interface ConfirmationProps {
  readonly eventId: string;
  readonly canAnswer: boolean;
  /** Reason why allowing is not possible yet, or '' if allowing is possible. */
  readonly allowWaitsFor: string;
  readonly isReasonOpen: boolean;
  readonly onReasonOpen: (isOpen: boolean) => void;
  readonly onDecision: (decision: Decision) => void;
  readonly menu: VNode | null;
}

/** Buttons to allow, deny, or deny with a reason. No button gets the focus automatically. */
function Confirmation(props: ConfirmationProps): VNode {
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
          {t('Deny with Reason... (R)')}
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
      {isTooLong ? <p class="problem">{t('Use at most {0} characters.', toNumber(longestReason, locale))}</p> : null}
      <div class="ask-buttons flexWrap">
        <Button disabled={!canSend} onClick={send}>
          {t('Deny')}
        </Button>
        <span class="hint">{t('Ctrl+Enter sends, Escape closes')}</span>
      </div>
    </div>
  );
}

interface CustomToolResultProps {
  readonly eventId: string;
  readonly canAnswer: boolean;
  readonly onResult: (text: string, isError: boolean) => void;
  readonly onFile: () => void;
  readonly menu: VNode | null;
}

/** Form for the result of a tool that the user runs: text, JSON or a file. Unfinished input survives a reload. */
function CustomToolResult({ eventId, canAnswer, onResult, onFile, menu }: CustomToolResultProps): VNode {
  const { t } = useContext(Panel);
  const [text, setText] = useRemembered(`result ${eventId}`);
  const [isError, setError] = useRememberedFlag(`resultIsError ${eventId}`, false);
  const check = useMemo(() => checkJson(text), [text]);
  const isTooLong = text.length > longestMessage;
  const noteId = useId();
  const canSend = canAnswer && text.trim() !== '' && !isTooLong;
  const send = (): void => {
    if (canSend) {
      onResult(text, isError);
    }
  };
  return (
    <div class="ask-form">
      <label>
        {t('Result')}
        <textarea
          class="field ask-result"
          rows={3}
          spellcheck={false}
          aria-describedby={noteId}
          placeholder={t('Text or JSON')}
          value={text}
          onInput={event => setText(event.currentTarget.value)}
          onKeyDown={event => onFormKey(event, send)}
        />
      </label>
      <p id={noteId} class={check === 'broken' || isTooLong ? 'problem' : 'hint'} aria-live="polite">
        {isTooLong
          ? t('Too long. Send a file instead.')
          : check === 'json'
            ? t('Valid JSON')
            : check === 'broken'
              ? t('Not valid JSON')
              : ''}
      </p>
      <label class="ask-check flexLine">
        <input type="checkbox" checked={isError} onChange={event => setError(event.currentTarget.checked)} />
        {t('Return as error')}
      </label>
      <div class="ask-buttons flexWrap">
        <Button kind="primary" disabled={!canSend} onClick={send}>
          {check === 'broken' ? t('Send as Text') : isError ? t('Send Error') : t('Send Result')}
        </Button>
        <Button icon="file" disabled={!canAnswer} onClick={onFile}>
          {t('From File...')}
        </Button>
        {menu}
      </div>
    </div>
  );
}

function checkJson(text: string): 'json' | 'text' | 'broken' {
  return !/^\s*[[{]/.test(text) ? 'text' : jsonOf(text) === undefined ? 'broken' : 'json';
}

/** Definition of the custom tool that asks, as sent to the agent. */
function ToolDefinitionView({ ask: { definition, tool } }: { ask: Ask }): VNode | null {
  const { t } = useContext(Panel);
  const [isOpen, setOpen] = useRememberedFlag('toolSchemas', false);
  if (definition === undefined) {
    return null;
  }
  const { description, input } = definition;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section class="ask-tool" tabIndex={0} aria-label={t('Definition of {0}', tool)}>
      {description === undefined ? null : (
        <p class="ask-tool-words">
          {visible(description.text)}
          {description.cut === undefined ? '' : '…'}
        </p>
      )}
      {input === undefined ? null : (
        <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
          <summary class="hint">{t('Schema')}</summary>
          <div class="ask-code">
            <TextChunks text={input.text} />
          </div>
          {input.cut === undefined ? null : <p class="hint">{t('Only the start of this text is shown.')}</p>}
        </details>
      )}
    </section>
  );
}
