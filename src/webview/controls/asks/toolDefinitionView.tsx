import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Ask } from '../../../shared/session/openAsksAt';
import { Panel, useRememberedFlag } from '../panelContext';
import { visible } from '../text/visibleText';
import type { AskArguments } from './argumentsView';
import { WholeText } from './wholeText';
import { JsonSchema, type SchemaFailure } from '../../../shared/schema/jsonSchema';
import type { ToolDefinition } from '../../../shared/session/toolDefinition';
import type { Translate } from '../../../shared/session/translateText';

interface ToolDefinitionViewProps {
  readonly ask: Ask;
  readonly given: AskArguments;
}

/** Definition of the custom tool that asks, as sent to the agent, and how the call doesn't match it. */
export function ToolDefinitionView({ ask: { definition, tool }, given }: ToolDefinitionViewProps): VNode | null {
  const { t } = useContext(Panel);
  const [isOpen, setOpen] = useRememberedFlag('toolSchemas', false);
  if (definition === undefined) {
    return null;
  }
  const { description, input, output } = definition;
  const failure = given.isWhole ? checkBySchema(given.text, input) : undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="ask-tool" tabIndex={0} aria-label={t('Definition of {0}', tool)}>
      {description === undefined ? null : (
        <p class="ask-tool-words">
          {visible(description.text)}
          {description.cut === undefined ? '' : '…'}
        </p>
      )}
      {failure === undefined ? null : <p class="ask-problem">{visible(t("Doesn't match the schema. {0}", describeFailure(failure, t)))}</p>}
      {input === undefined && output === undefined ? null : (
        <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
          <summary>{t('Schema')}</summary>
          {input === undefined ? null : <Schema title={t('Arguments')} part={input} />}
          {output === undefined ? null : <Schema title={t('Result')} part={output} />}
        </details>
      )}
    </section>
  );
}

function Schema({ title, part }: { title: string; part: { readonly text: string; readonly cut?: number } }): VNode {
  const { t } = useContext(Panel);
  return (
    <>
      <p class="ask-code-title">{title}</p>
      <WholeText text={part.text} />
      {part.cut === undefined ? null : <p class="ask-hint">{t('This is the start of a long text.')}</p>}
    </>
  );
}

/** Longest text that is checked at every key press, in characters. */
const longest = 100_000;

/**
 * Returns the first mismatch between a JSON text and a schema. Returns `undefined` if the text fits or isn't JSON. Also returns `undefined`
 * if the schema is cut, or has unknown keywords, patterns or references, which can take unbounded time.
 */
export function checkBySchema(text: string, schema: ToolDefinition['input']): SchemaFailure | undefined {
  if (schema === undefined || schema.cut !== undefined || text.length > longest || /"(?:pattern|\$ref)"\s*:\s*"/.test(schema.text)) {
    return undefined;
  }
  try {
    const checker = new JsonSchema(JSON.parse(schema.text));
    return checker.problems.length > 0 ? undefined : checker.check(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns the message for a mismatch. */
export function describeFailure({ at, keyword, expected, actual }: SchemaFailure, t: Translate): string {
  const place = at === '' ? t('It') : at;
  switch (keyword) {
    case 'required':
      return t('{0} needs "{1}".', place, expected);
    case 'additionalProperties':
      return t("{0} isn't in the schema.", place);
    default:
      return t('{0} is {1}; the schema says {2}: {3}.', place, actual, keyword, expected);
  }
}
