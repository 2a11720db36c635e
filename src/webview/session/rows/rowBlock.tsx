import type { VNode } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import type { ArgumentBlock } from '../../controls/asks/argumentBlocks';
import { ChangeLines, FileTitle } from '../../controls/asks/argumentsView';
import { languageOfPath } from '../../controls/code/codeLanguage';
import { CodeText } from '../../controls/code/codeText';
import { Button } from '../../controls/button';
import { toCount } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';
import { useSoughtAt } from '../../controls/text/sought';

/** Number of lines of a diff that are shown first: they fit without scrolling. */
const linesAtFirst = 16;

/** One block of the arguments of a call, in its row. A long block is folded to its first lines. */
export function RowBlock({ block, isUnfolded }: { block: ArgumentBlock; isUnfolded: boolean }): VNode {
  const { t } = useContext(Panel);
  switch (block.type) {
    case 'command':
      return <CodeText text={block.text} language="bash" isUnfolded={isUnfolded} />;
    case 'content':
      return (
        <>
          <FileTitle words={t('Writes this file:')} path={block.path} />
          <CodeText text={block.text} language={languageOfPath(block.path)} isUnfolded={isUnfolded} />
        </>
      );
    case 'json':
      return (
        <>
          <p class="ask-code-title">{t('Other arguments')}</p>
          <CodeText text={block.text} language="json" isUnfolded={isUnfolded} />
        </>
      );
    case 'diff':
      return (
        <>
          <FileTitle words={t('Changes this file:')} path={block.path} />
          <ChangedLines lines={block.lines} path={block.path} isUnfolded={isUnfolded} />
        </>
      );
  }
}

interface ChangedLinesProps {
  readonly lines: Extract<ArgumentBlock, { type: 'diff' }>['lines'];
  readonly path: string;
  readonly isUnfolded: boolean;
}

function ChangedLines({ lines, path, isUnfolded }: ChangedLinesProps): VNode {
  const { t, locale } = useContext(Panel);
  const [isAsked, setOpened] = useState(isUnfolded);
  const folded = useMemo(
    () =>
      lines
        .slice(linesAtFirst)
        .map(({ text }) => text)
        .join('\n'),
    [lines],
  );
  // A search match must not be hidden by folding.
  const isOpened = useSoughtAt(folded, 0) !== -1 || isAsked;
  const shown = isOpened ? lines.length : Math.min(lines.length, linesAtFirst);
  const more = lines.length - shown;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div class={isOpened ? 'rowBlocks isUnfolded' : 'rowBlocks'} tabIndex={0}>
        <ChangeLines lines={lines} shown={shown} path={path} />
      </div>
      {more > 0 ? (
        <Button look="link" onClick={() => setOpened(true)}>
          {t('Show {0} More', toCount(more, locale))}
        </Button>
      ) : null}
    </>
  );
}
