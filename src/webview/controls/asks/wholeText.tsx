import type { VNode } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Panel } from '../panelContext';
import { visible } from '../text/visibleText';
import { type TextChunk, toTextChunks } from './textChunks';

/** Number of chunks rendered immediately. Others are rendered when they are scrolled near. */
const renderedAtOnce = 12;

/** All of a text, however long, with invisible characters marked. */
export function WholeText({ text }: { text: string }): VNode {
  const chunks = useMemo(() => toTextChunks(text), [text]);
  return (
    <div class="ask-code">
      {chunks.map((chunk, index) =>
        chunks.length <= renderedAtOnce ? <Chunk key={index} chunk={chunk} /> : <LateChunk key={index} chunk={chunk} />,
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
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = box.current;
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
    if (isNear && box.current !== null) {
      setHeight(box.current.getBoundingClientRect().height);
    }
  }, [isNear]);
  const guess = Math.max(1, chunk.text.split('\n').length, Math.ceil(chunk.text.length / 80));
  return (
    <div ref={box} style={isNear ? {} : { height: height === undefined ? `${guess * 1.4}em` : `${height}px` }}>
      {isNear ? <Chunk chunk={chunk} /> : null}
    </div>
  );
}
