import type { ComponentChildren, VNode } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { ownValue } from '../../../shared/isRecord';
import { nameOfTool } from '../../../shared/session/event';
import { sumOfBuckets } from '../../../shared/session/facts/tokens';
import { fileCallOf } from '../../../shared/session/fileChange';
import { toArgumentsLine } from '../../../shared/session/rows/argumentsLine';
import type { ToolRow } from '../../../shared/session/rows/rows';
import { decisionWords, permissionWords, toolStateWords } from '../../../shared/session/rows/rowWords';
import type { Translate } from '../../../shared/session/translateText';
import { join, toLabel } from '../../../shared/text';
import { type ArgumentBlock, toArgumentBlocks } from '../../controls/asks/argumentBlocks';
import { BlockView, ChangeLines } from '../../controls/asks/argumentsView';
import { Button } from '../../controls/button';
import { languageOfPath } from '../../controls/code/codeLanguage';
import { CodeText, linesAtFirst, MoreLines, useUnfolding } from '../../controls/code/codeText';
import type { DiffLine } from '../../controls/code/diffLines';
import type { IconName } from '../../controls/icon';
import { toDuration, toMoney, toShortCount } from '../../controls/numbers';
import { Loaded, Panel, partId } from '../../controls/panelContext';
import { visible } from '../../controls/text/visibleText';
import { type RowProps, Rows } from '../rowsContext';
import { PartView } from './part';
import { fileActsOf } from './rowActions';
import { RowLine } from './rowLine';

const toolIcons: Readonly<Record<ToolRow['state'], IconName>> = {
  waiting: 'waiting',
  held: 'idle',
  running: 'running',
  done: 'check',
  failed: 'error',
  denied: 'terminated',
  interrupted: 'stop',
  elsewhere: 'thread',
};

/** A tool call with its result: one line, with input and output folded below. */
export function ToolRowView({ row, isOpen }: RowProps<ToolRow>): VNode {
  const { t, locale } = useContext(Panel);
  const input = 'text' in row.input ? (row.input.text ?? '') : '';
  const argumentsLine = useMemo(() => toArgumentsLine(input), [input]);
  const rule = useRule(row);
  const { costOf } = useContext(Rows);
  const used = row.request?.tokens;
  const cost = useMemo(() => costOf(row), [row, costOf]);
  const facts = join(
    ' · ',
    // The header and the icon of a waiting call already show its state.
    row.state === 'waiting' || (row.state === 'denied' && row.decision?.result === 'deny') ? undefined : toolStateWords(row, t),
    row.decision === undefined ? undefined : decisionWords(row.decision, t),
    rule && row.confirmation ? ruleWords(row.confirmation.result, rule, t) : undefined,
    row.durationMs === undefined ? undefined : toDuration(row.durationMs, { t, locale }),
    row.waitMs === undefined ? undefined : t('waited {0}', toDuration(row.waitMs, { t, locale })),
    used === undefined ? undefined : t('{0} tokens', toShortCount(sumOfBuckets(used), locale)),
    cost === undefined ? undefined : toMoney(cost, locale, 4),
  );
  return (
    <RowLine row={row} icon={toolIcons[row.state]} spin={row.state === 'running'} isOpen={isOpen} facts={facts} below={<Body row={row} />}>
      <b>{visible(nameOfTool({ tool: row.name, server: row.server }))}</b> {visible(argumentsLine)}
    </RowLine>
  );
}

function Body({ row }: { row: ToolRow }): VNode {
  const { t } = useContext(Panel);
  return (
    <>
      <Facts row={row} />
      <Section title={t('Input')}>
        <InputView row={row} />
      </Section>
      {row.result === undefined ? null : (
        <Section title={row.result.isError ? t('Error result') : t('Result')}>
          {row.result.parts.length === 0 ? <span class="faint">{t('Nothing to show')}</span> : null}
          {row.result.parts.map((part, index) => (
            <PartView key={index} part={part} rowKey={row.key} path={`result.${index}`} language={resultLanguage(row)} />
          ))}
        </Section>
      )}
    </>
  );
}

/** Returns the language of a call's result. If the call read a file, returns the language of the file. */
function resultLanguage({ name, input, result }: ToolRow): string | undefined {
  const isRead = name.toLowerCase() === 'read' && input.type === 'json' && result?.isError === false;
  return isRead ? languageOfPath(fileCallOf(name, input.text)?.path ?? '') : undefined;
}

function InputView({ row }: { row: ToolRow }): VNode {
  const { t, post } = useContext(Panel);
  const { thread } = useContext(Rows);
  const loaded = useContext(Loaded).get(partId(thread, row.key, 'input'));
  const { input } = row;
  const { hasChange, hasFile } = useMemo(() => fileActsOf(row), [row]);
  const whole =
    input.type !== 'json' ? undefined : input.cut === undefined ? input.text : loaded?.problem === undefined ? loaded?.text : undefined;
  const blocks = useMemo(() => (whole === undefined ? [] : toArgumentBlocks(row.name, whole)), [row.name, whole]);
  if (!blocks.some(({ type }) => type !== 'json')) {
    return <PartView part={input} rowKey={row.key} path="input" />;
  }
  return (
    <div class="part">
      {blocks.map((block, index) => (
        <RowBlock key={index} block={block} isUnfolded={loaded !== undefined} />
      ))}
      {hasFile ? (
        <div class="cut flexWrap">
          {hasChange ? (
            <Button kind="link" onClick={() => post({ type: 'openChange', thread, key: row.key })}>
              {t('Open Change')}
            </Button>
          ) : null}
          <Button kind="link" onClick={() => post({ type: 'openInWorkspace', thread, key: row.key })}>
            {t('Open in Workspace')}
          </Button>
          <Button kind="link" onClick={() => post({ type: 'openPart', thread, key: row.key, path: 'input' })}>
            {t('Open in Editor')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function Facts({ row }: { row: ToolRow }): VNode {
  const { t } = useContext(Panel);
  const sort = row.tool === 'mcp' ? t('MCP tool') : row.tool === 'custom' ? t('Custom tool') : t('Tool');
  const rule = useRule(row);
  const { decision, permission, confirmation } = row;
  const decided = decision ? decisionWords(decision, t) : permission && permissionWords(permission, t);
  const yours = { allow: t('allowed by you'), deny: t('denied by you') };
  const answer = confirmation?.result;
  const answered = answer && (rule === undefined ? (ownValue(yours, answer) ?? answer) : ruleWords(answer, rule, t));
  return (
    <div class="faint">
      {visible(join(' · ', sort, toolStateWords(row, t), decided, answered))}
      {confirmation?.denyMessage === undefined ? null : <div class="quote">{visible(confirmation.denyMessage)}</div>}
    </div>
  );
}

function useRule({ key, askId = key }: ToolRow): string | undefined {
  return ownValue(useContext(Rows).byRule, askId);
}

function ruleWords(result: string, rule: string, t: Translate): string {
  return result === 'deny' ? t('denied by rule "{0}"', toLabel(rule)) : t('allowed by rule "{0}"', toLabel(rule));
}

/** A titled section of an open row. */
export function Section({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <div class="rowSection">
      <div class="sectionTitle faint">{title}</div>
      {children}
    </div>
  );
}

function RowBlock({ block, isUnfolded }: { block: ArgumentBlock; isUnfolded: boolean }): VNode {
  return (
    <BlockView
      block={block}
      drawText={(text, language) => <CodeText text={text} language={language} isUnfolded={isUnfolded} />}
      drawLines={lines => <ChangedLines lines={lines} isUnfolded={isUnfolded} />}
    />
  );
}

function ChangedLines({ lines, isUnfolded }: { lines: readonly DiffLine[]; isUnfolded: boolean }): VNode {
  const folded = useMemo(
    () =>
      lines
        .slice(linesAtFirst)
        .map(({ text }) => text)
        .join('\n'),
    [lines],
  );
  const [isOpen, open] = useUnfolding(folded, 0, isUnfolded);
  const shown = isOpen ? lines.length : Math.min(lines.length, linesAtFirst);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <div class={isOpen ? 'rowBlocks isUnfolded' : 'rowBlocks'} tabIndex={0}>
        <ChangeLines lines={lines} shown={shown} />
      </div>
      <MoreLines count={lines.length - shown} onClick={open} />
    </>
  );
}
