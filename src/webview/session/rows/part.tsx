import type { VNode } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Part } from '../../../shared/session/rows/rows';
import { toByteSize } from '../../../shared/text';
import { Button } from '../controls/button';
import { Icon } from '../controls/icon';
import { Markdown } from '../markdown/markdownView';
import { type LoadedParts, Panel, partId } from '../panelContext';
import { visible } from '../text/visibleText';
import { LongText } from './longText';
import { Rows } from './rowsContext';

interface PartProps {
  readonly part: Part;
  readonly rowKey: string;
  /** Its name to the host: `input`, `result.0`. */
  readonly path: string;
  readonly loadedParts: LoadedParts;
  /** Text is Markdown, unless it is the output of a tool or the like. */
  readonly isMarkdown?: boolean;
}

/** A piece of content: text, JSON, a document; images when asked for. What was cut can be had whole, here or in an editor. */
export function PartView({ part, rowKey, path, loadedParts, isMarkdown = false }: PartProps): VNode {
  const { t, locale } = useContext(Panel);
  const { thread } = useContext(Rows);
  const loaded = loadedParts.get(partId(thread, rowKey, path));
  switch (part.type) {
    case 'text':
    case 'json':
    case 'document': {
      const text = loaded?.isImage === true ? undefined : loaded?.text;
      const shown = text ?? part.text ?? '';
      const isWhole = text !== undefined && loaded?.problem === undefined;
      return (
        <div class={`part part-${part.type}`}>
          {part.type === 'document' ? (
            <div class="partTitle">
              <Icon name="file" /> {visible(part.title)}
              <span class="faint">
                {visible(part.source)}
                {part.bytes === undefined ? '' : ` · ${toByteSize(part.bytes, locale)}`}
              </span>
            </div>
          ) : null}
          {isMarkdown && part.type === 'text' ? <Markdown text={shown} /> : shown === '' ? null : <LongText text={shown} />}
          {part.cut !== undefined && !isWhole ? (
            <CutPart rowKey={rowKey} path={path} bytes={part.cut} {...(loaded?.problem === undefined ? {} : { problem: loaded.problem })} />
          ) : null}
        </div>
      );
    }
    case 'image':
      return <ImagePart part={part} rowKey={rowKey} path={path} loadedParts={loadedParts} />;
    case 'redacted':
      return <div class="part faint">{t('Redacted by the service.')}</div>;
  }
}

function CutPart({ rowKey, path, bytes, problem }: { rowKey: string; path: string; bytes: number; problem?: string }): VNode {
  const { post, t, locale } = useContext(Panel);
  const { thread } = useContext(Rows);
  const [isLoading, setLoading] = useState(false);
  const isBusy = isLoading && problem === undefined;
  return (
    <div class="cut">
      {problem === undefined ? null : <span class="problem">{visible(problem)}</span>}
      <Button
        look="link"
        disabled={isBusy}
        onClick={() => {
          setLoading(true);
          post({ type: 'loadPart', thread, key: rowKey, path });
        }}
      >
        {isBusy ? t('Loading…') : t('Show all ({0})', toByteSize(bytes, locale))}
      </Button>
      <Button look="link" onClick={() => post({ type: 'openPart', thread, key: rowKey, path })}>
        {t('Open in Editor')}
      </Button>
    </div>
  );
}

function ImagePart({
  part,
  rowKey,
  path,
  loadedParts,
}: {
  part: Extract<Part, { type: 'image' }>;
  rowKey: string;
  path: string;
  loadedParts: LoadedParts;
}): VNode {
  const { post, t, locale } = useContext(Panel);
  const { thread } = useContext(Rows);
  const loaded = loadedParts.get(partId(thread, rowKey, path));
  const facts = [part.mediaType, part.bytes === undefined ? undefined : toByteSize(part.bytes, locale)].filter(fact => fact !== undefined);
  const address = loaded?.isImage === true ? toImageAddress(loaded.text, part.mediaType) : undefined;
  return (
    <div class="part part-image">
      <div class="partTitle">
        <Icon name="image" /> {visible(part.name === '' ? t('Image') : part.name)}
        <span class="faint">{visible(facts.join(' · '))}</span>
      </div>
      {address !== undefined ? <img class="picture" src={address} alt={part.name === '' ? t('Image') : part.name} /> : null}
      {loaded?.problem === undefined ? null : <span class="problem">{visible(loaded.problem)}</span>}
      {part.source === 'base64' ? (
        <div class="cut">
          {address !== undefined ? null : (
            <Button look="link" onClick={() => post({ type: 'loadPart', thread, key: rowKey, path })}>
              {t('Show Image')}
            </Button>
          )}
          <Button look="link" onClick={() => post({ type: 'openPart', thread, key: rowKey, path })}>
            {t('Open in Editor')}
          </Button>
        </div>
      ) : (
        <div class="faint">
          {part.source === 'url' ? t('At an address elsewhere; not loaded.') : t('A file of the service; not loaded.')}
        </div>
      )}
    </div>
  );
}

/** Only data that came with the event and that is a picture: an address would be fetched from somewhere. */
function toImageAddress(text: string, mediaType: string | undefined): string | undefined {
  const address = text.startsWith('data:') ? text : `data:${mediaType ?? ''};base64,${text}`;
  return /^data:image\/(?:png|jpeg|gif|webp);base64,/.test(address) ? address : undefined;
}
