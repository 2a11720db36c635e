import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Ask } from '../../../shared/session/openAsks';
import { Panel, useRememberedFlag } from '../panelContext';
import { visible } from '../text/visibleText';
import type { AskArguments } from './argumentsView';
import { checkBySchema, describeFailure } from './schemaCheck';
import { TextChunks } from '../text/longText';

/** Definition of the custom tool that asks, as sent to the agent, and the mismatches of the call. */
export function ToolDefinitionView({ ask: { definition, tool }, given }: { ask: Ask; given: AskArguments }): VNode | null {
  const { t } = useContext(Panel);
  const [isOpen, setOpen] = useRememberedFlag('toolSchemas', false);
  if (definition === undefined) {
    return null;
  }
  const { description, input } = definition;
  const failure = given.isWhole ? checkBySchema(given.text, input) : undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section class="ask-tool" tabIndex={0} aria-label={t('Definition of {0}', tool)}>
      {description === undefined ? null : (
        <p class="ask-tool-words">
          {visible(description.text)}
          {description.cut === undefined ? '' : '…'}
        </p>
      )}
      {failure === undefined ? null : <p class="problem">{visible(t("Doesn't match the schema. {0}", describeFailure(failure, t)))}</p>}
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
