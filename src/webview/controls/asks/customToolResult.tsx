import type { VNode } from 'preact';
import { useContext, useId, useMemo } from 'preact/hooks';
import { jsonOf } from '../../../shared/jsonOf';
import { onFormKey } from '../focus';
import { Button } from '../button';
import { Panel, useRemembered, useRememberedFlag } from '../panelContext';
import type { Ask } from '../../../shared/session/openAsks';
import { visible } from '../text/visibleText';
import { TextChunks } from '../text/longText';

/** Maximum length of a result in one message to the host, in characters. */
const longestResult = 1_000_000;

interface CustomToolResultProps {
  readonly eventId: string;
  readonly canAnswer: boolean;
  readonly onResult: (text: string, isError: boolean) => void;
  readonly onFile: () => void;
  readonly menu: VNode | null;
}

/** Form for the result of a tool that the user runs: text, JSON or a file. Unfinished input survives a reload. */
export function CustomToolResult({ eventId, canAnswer, onResult, onFile, menu }: CustomToolResultProps): VNode {
  const { t } = useContext(Panel);
  const [text, setText] = useRemembered(`result ${eventId}`);
  const [isError, setError] = useRememberedFlag(`resultIsError ${eventId}`, false);
  const check = useMemo(() => checkJson(text), [text]);
  const isTooLong = text.length > longestResult;
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
          {t('From File…')}
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
export function ToolDefinitionView({ ask: { definition, tool } }: { ask: Ask }): VNode | null {
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
          {input.cut === undefined ? null : <p class="hint">{t('This is the start of a long text.')}</p>}
        </details>
      )}
    </section>
  );
}
