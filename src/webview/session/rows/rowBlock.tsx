import type { VNode } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import type { ArgumentBlock } from '../../controls/asks/argumentBlocks';
import { BlockView, ChangeLines } from '../../controls/asks/argumentsView';
import { CodeText } from '../../controls/code/codeText';
import { Button } from '../../controls/button';
import { toCount } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';
import { useSoughtAt } from '../../controls/text/sought';

/** Number of lines of a diff that are shown first: they fit without scrolling. */
const linesAtFirst = 16;

/** One block of the arguments of a call, in its row. A long block is folded to its first lines. */
export function RowBlock({ block, isUnfolded }: { block: ArgumentBlock; isUnfolded: boolean }): VNode {
  return (
    <BlockView
      block={block}
      drawText={(text, language) => <CodeText text={text} language={language} isUnfolded={isUnfolded} />}
      drawLines={(lines, path) => <ChangedLines lines={lines} path={path} isUnfolded={isUnfolded} />}
    />
  );
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
