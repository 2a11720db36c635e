import type { VNode } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Panel } from '../panelContext';
import { visible } from '../text/visibleText';

/** Number of chunks rendered immediately. Others are rendered when they are scrolled near. */
const drawnAtOnce = 12;

/** All of a text, however long, with invisible characters marked. */
export function WholeText({ text }: { text: string }): VNode {
  const chunks = useMemo(() => toTextChunks(text), [text]);
  return (
    <div class="ask-code">
      {chunks.map((chunk, index) =>
        chunks.length <= drawnAtOnce ? <Chunk key={index} chunk={chunk} /> : <LateChunk key={index} chunk={chunk} />,
      )}
    </div>
  );
}

function Chunk({ chunk: { text, isContinued } }: { chunk: TextChunk }): VNode {
  const { t } = useContext(Panel);
  return (
    <pre class={isContinued ? 'ask-chunk ask-chunk-continued' : 'ask-chunk'} title={isContinued ? t('Show more') : undefined}>
      {text === '' ? '\n' : visible(text)}
    </pre>
  );
}

function LateChunk({ chunk }: { chunk: TextChunk }): VNode {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null) {
      return undefined;
    }
    const observer = new IntersectionObserver(entries => setNear(entries.some(entry => entry.isIntersecting)), { rootMargin: '1000px' });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // A rendered chunk has a known height. Until then the height is estimated, so that the scroll bar is roughly right.
  const [height, setHeight] = useState<number>();
  useEffect(() => {
    if (isNear && place.current !== null) {
      setHeight(place.current.getBoundingClientRect().height);
    }
  }, [isNear]);
  const guess = Math.max(1, chunk.text.split('\n').length, Math.ceil(chunk.text.length / 80));
  return (
    <div ref={place} style={isNear ? {} : { height: height === undefined ? `${guess * 1.4}em` : `${height}px` }}>
      {isNear ? <Chunk chunk={chunk} /> : null}
    </div>
  );
}

/** A chunk of a long text. `isContinued` if it starts in the middle of a line. */
interface TextChunk {
  readonly text: string;
  readonly isContinued: boolean;
}

const maxCharacters = 8000;
const maxLines = 200;

/**
 * Cuts a text into chunks that are quick to lay out, at line ends if possible. The line end at a cut belongs to neither side, because each
 * chunk is displayed on lines of its own.
 */
export function toTextChunks(text: string): readonly TextChunk[] {
  const chunks: TextChunk[] = [];
  let from = 0;
  let isContinued = false;
  for (;;) {
    const end = endOfChunk(text, from);
    const isAtLineEnd = text[end] === '\n';
    chunks.push({ text: text.slice(from, isAtLineEnd && end > from && text[end - 1] === '\r' ? end - 1 : end), isContinued });
    if (end >= text.length) {
      return chunks;
    }
    from = isAtLineEnd ? end + 1 : end;
    isContinued = !isAtLineEnd;
  }
}

function endOfChunk(text: string, from: number): number {
  const window = text.slice(from, from + maxCharacters + 1);
  let lastLineEnd = -1;
  for (let lines = 0; lines < maxLines; lines++) {
    const next = window.indexOf('\n', lastLineEnd + 1);
    if (next === -1) {
      break;
    }
    lastLineEnd = next;
    if (lines === maxLines - 1) {
      return from + lastLineEnd;
    }
  }
  if (from + maxCharacters >= text.length) {
    return text.length;
  }
  if (lastLineEnd !== -1) {
    return from + lastLineEnd;
  }
  const unit = window.charCodeAt(maxCharacters - 1);
  return from + (unit >= 0xd800 && unit < 0xdc00 ? maxCharacters - 1 : maxCharacters);
}
