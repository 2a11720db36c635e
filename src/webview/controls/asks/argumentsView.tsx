import type { ComponentChildren, VNode } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Ask } from '../../../shared/session/openAsks';
import type { Part } from '../../../shared/session/rows/rows';
import { toLabel } from '../../../shared/text';
import { Button } from '../button';
import { languageOfPath } from '../code/codeLanguage';
import type { DiffLine } from '../code/diffLines';
import { Loaded, Panel, partId } from '../panelContext';
import { TextChunks } from '../text/longText';
import { visible } from '../text/visibleText';
import type { ArgumentBlock } from './argumentBlocks';

/** The loaded part of an ask's arguments. */
interface AskArguments {
  readonly text: string;
  readonly isWhole: boolean;
  /** Size of the complete arguments in bytes, if `text` is cut. */
  readonly size: number;
  readonly problem: string | undefined;
}

/** Returns the arguments of an ask, from the message or loaded later. */
export function useAskArguments({ eventId, input }: Ask): AskArguments {
  const loaded = useContext(Loaded).get(partId('', eventId, 'ask'));
  if (loaded !== undefined && loaded.problem === undefined) {
    return { text: loaded.text, isWhole: true, size: 0, problem: undefined };
  }
  const cut = 'cut' in input ? input.cut : undefined;
  return { text: textOf(input), isWhole: cut === undefined, size: cut ?? 0, problem: loaded?.problem };
}

function textOf(input: Part): string {
  return (input.type === 'text' || input.type === 'json' ? input.text : undefined) ?? JSON.stringify(input, null, 2);
}

interface ArgumentsViewProps {
  readonly ask: Ask;
  readonly given: AskArguments;
  /** The arguments as a command, a file or a change. `undefined` shows them as JSON. */
  readonly blocks: readonly ArgumentBlock[] | undefined;
  /** Called once the end of the loaded arguments was on screen. */
  readonly onEnd: () => void;
}

/** All arguments of an ask. Cut arguments are loaded on demand. Until then, a note says that they are incomplete. */
export function ArgumentsView({ ask, given, blocks, onEnd }: ArgumentsViewProps): VNode {
  const { t } = useContext(Panel);
  const shown: readonly ArgumentBlock[] = blocks ?? [{ type: 'json', text: given.text }];
  if (given.isWhole && given.text === '') {
    return <p class="hint">{t("The arguments aren't available.")}</p>;
  }
  return (
    <>
      {given.text === '' ? null : (
        <Scroller label={given.isWhole ? t('Arguments') : t('Only the start of this text is shown.')} onEnd={onEnd}>
          {shown.map((block, index) => (
            <BlockView
              key={index}
              block={block}
              isAlone={shown.length === 1}
              drawText={text => (
                <div class="ask-code">
                  <TextChunks text={text} />
                </div>
              )}
              drawLines={lines => <ChangeLines lines={lines} shown={lines.length} />}
            />
          ))}
        </Scroller>
      )}
      {given.isWhole ? null : <NotWhole ask={ask} given={given} />}
    </>
  );
}

/** A scrolling region with a hint while there is more below, so that nobody allows unread arguments. */
function Scroller({ label, onEnd, children }: { label: string; onEnd: () => void; children: ComponentChildren }): VNode {
  const { t } = useContext(Panel);
  const box = useRef<HTMLElement>(null);
  const [hasMore, setMore] = useState(false);
  const check = (): void => {
    if (box.current !== null) {
      const { scrollHeight, scrollTop, clientHeight } = box.current;
      const isMore = scrollHeight - scrollTop - clientHeight > 8;
      setMore(isMore);
      if (!isMore && clientHeight > 0) {
        onEnd();
      }
    }
  };
  useEffect(() => {
    const { current } = box;
    if (current === null) {
      return undefined;
    }
    const observer = new ResizeObserver(check);
    for (const element of [current, ...current.children]) {
      observer.observe(element);
    }
    return () => observer.disconnect();
  }, [children]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section class="ask-arguments" ref={box} tabIndex={0} aria-label={label} onScroll={check}>
      {children}
      {hasMore ? <div class="ask-more hint">{t('↓ More below')}</div> : null}
    </section>
  );
}

/** Maximum size of cut arguments that are loaded automatically, in bytes. */
const loadedAtOnce = 500_000;

function NotWhole({ ask: { eventId }, given: { text, size, problem } }: { ask: Ask; given: AskArguments }): VNode {
  const { t, post } = useContext(Panel);
  const [isAsked, setAsked] = useState(false);
  const isLoading = isAsked && problem === undefined;
  const load = (): void => {
    setAsked(true);
    post({ type: 'loadPart', thread: '', key: eventId, path: 'ask' });
  };
  useEffect(() => {
    if (size <= loadedAtOnce && problem === undefined) {
      load();
    }
  }, []);
  return (
    <div class="ask-cut warningBox">
      <p>
        {problem !== undefined
          ? t("Couldn't load the arguments: {0}", toLabel(problem, 1000))
          : text === ''
            ? t("The arguments aren't available.")
            : t('Only the start of this text is shown.')}
      </p>
      <Button disabled={isLoading} onClick={load}>
        {isLoading ? t('Loading…') : problem === undefined ? t('Load All') : t('Try Again')}
      </Button>
    </div>
  );
}

interface BlockViewProps {
  readonly block: ArgumentBlock;
  /** True for arguments that are JSON as a whole, which need no title. */
  readonly isAlone?: boolean;
  readonly drawText: (text: string, language: string | undefined) => VNode;
  readonly drawLines: (lines: readonly DiffLine[]) => VNode;
}

/** One block of the arguments of a call: a command, a file's content, a line diff, or JSON. */
export function BlockView({ block, isAlone = false, drawText, drawLines }: BlockViewProps): VNode {
  const { t } = useContext(Panel);
  switch (block.type) {
    case 'command':
      return drawText(block.text, 'bash');
    case 'content':
      return (
        <>
          <FileTitle words={t('Writes this file:')} path={block.path} />
          {drawText(block.text, languageOfPath(block.path))}
        </>
      );
    case 'json':
      return (
        <>
          {isAlone ? null : <p class="hint">{t('Other arguments')}</p>}
          {drawText(block.text, 'json')}
        </>
      );
    case 'diff':
      return (
        <>
          <FileTitle words={t('Changes this file:')} path={block.path} />
          {drawLines(block.lines)}
        </>
      );
  }
}

function FileTitle({ words, path }: { words: string; path: string }): VNode {
  return (
    <p class="hint">
      {words} <code class="ask-path">{visible(path)}</code>
    </p>
  );
}

/** The first `shown` lines of a diff. */
export function ChangeLines({ lines, shown }: { lines: readonly DiffLine[]; shown: number }): VNode {
  return (
    <div class="ask-code">
      {lines.slice(0, shown).map((line, index) => (
        <Line key={index} {...line} />
      ))}
    </div>
  );
}

function Line({ sign, text }: DiffLine): VNode {
  const { t } = useContext(Panel);
  const lineClass = sign === '+' ? 'ask-line ask-line-added' : sign === '-' ? 'ask-line ask-line-removed' : 'ask-line';
  return (
    <div class={lineClass}>
      <span class="ask-sign" aria-hidden="true">
        {sign}
      </span>
      {sign === ' ' ? null : <span class="only-read-aloud">{sign === '+' ? t('Added:') : t('Removed:')} </span>}
      <span class="ask-line-text">{visible(text)}</span>
    </div>
  );
}
