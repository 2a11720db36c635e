import type { VNode } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Part } from '../../../shared/session/rows/rows';
import { join, toByteSize } from '../../../shared/text';
import { Button } from '../../controls/button';
import { languageOfText } from '../../controls/code/codeLanguage';
import { CodeText } from '../../controls/code/codeText';
import { Icon } from '../../controls/icon';
import { Markdown } from '../../controls/markdown/markdownView';
import { Loaded, Panel, partId } from '../../controls/panelContext';
import { visible } from '../../controls/text/visibleText';
import { Rows } from '../rowsContext';

interface PartProps {
  readonly part: Part;
  readonly rowKey: string;
  /** Path of the part for the host: `input`, `result.0`. */
  readonly path: string;
  readonly language?: string | undefined;
  readonly isMarkdown?: boolean;
}

/** A content part: text, JSON, a document, or an image when requested. A cut part can be loaded completely, here or in an editor. */
export function PartView(props: PartProps): VNode {
  const { t } = useContext(Panel);
  const { part, rowKey, path } = props;
  switch (part.type) {
    case 'text':
    case 'json':
    case 'document':
      return <TextPart {...props} part={part} />;
    case 'image':
      return <ImagePart part={part} rowKey={rowKey} path={path} />;
    case 'redacted':
      return <div class="part faint">{t('Redacted by the service.')}</div>;
  }
}

/** Parts of a message, as Markdown. Their index is a stable key, because parts never change their order. */
export function MessageParts({ row }: { readonly row: { readonly key: string; readonly parts: readonly Part[] } }): VNode {
  return (
    <>
      {row.parts.map((part, index) => (
        <PartView key={index} part={part} rowKey={row.key} path={`parts.${index}`} isMarkdown />
      ))}
    </>
  );
}

interface TextPartProps extends PartProps {
  readonly part: Extract<Part, { readonly type: 'text' | 'json' | 'document' }>;
}

function TextPart({ part, rowKey, path, language, isMarkdown = false }: TextPartProps): VNode {
  const { locale } = useContext(Panel);
  const { thread } = useContext(Rows);
  const loaded = useContext(Loaded).get(partId(thread, rowKey, path));
  const whole = loaded?.isImage === true || loaded?.problem !== undefined ? undefined : loaded?.text;
  const shown = whole ?? part.text ?? '';
  const { cut, cutLines = 0 } = part;
  const rest =
    cut === undefined || whole !== undefined
      ? undefined
      : (hidden: number): VNode => <CutPart rowKey={rowKey} path={path} bytes={cut} lines={hidden + cutLines} problem={loaded?.problem} />;
  return (
    <div class={`part part-${part.type}`}>
      {part.type === 'document' ? (
        <div class="partTitle flexLine">
          <Icon name="file" /> {visible(part.title)}
          <span class="faint">
            {visible(part.source)}
            {part.bytes === undefined ? '' : ` · ${toByteSize(part.bytes, locale)}`}
          </span>
        </div>
      ) : null}
      {isMarkdown && part.type === 'text' ? <Markdown text={shown} /> : null}
      {shown === '' || (isMarkdown && part.type === 'text') ? (
        rest?.(0)
      ) : (
        <CodeText
          text={shown}
          language={language ?? (part.type === 'json' ? 'json' : languageOfText(shown))}
          isUnfolded={whole !== undefined}
          {...(rest && { rest })}
        />
      )}
    </div>
  );
}

interface CutPartProps extends Pick<PartProps, 'rowKey' | 'path'> {
  readonly bytes: number;
  readonly lines: number;
  readonly problem: string | undefined;
}

function CutPart({ rowKey, path, bytes, lines, problem }: CutPartProps): VNode {
  const { t, locale } = useContext(Panel);
  const [isLoading, setLoading] = useState(false);
  const isBusy = isLoading && problem === undefined;
  const words = lines === 0 ? t('Show all ({0})', toByteSize(bytes, locale)) : t('Show more');
  return <PartLinks {...{ rowKey, path, problem }} load={isBusy ? t('Loading…') : words} isBusy={isBusy} onLoad={() => setLoading(true)} />;
}

interface PartLinksProps extends Pick<PartProps, 'rowKey' | 'path'> {
  readonly problem?: string | undefined;
  /** Text of the link that loads the part. `undefined` if the part is loaded. */
  readonly load: string | undefined;
  readonly isBusy?: boolean;
  readonly onLoad?: () => void;
}

/** Links that load a part, here or in an editor, and the reason why the part wasn't loaded. */
function PartLinks({ rowKey, path, problem, load, isBusy = false, onLoad }: PartLinksProps): VNode {
  const { post, t } = useContext(Panel);
  const { thread } = useContext(Rows);
  return (
    <div class="cut flexWrap">
      {problem === undefined ? null : <span class="problem">{visible(problem)}</span>}
      {load === undefined ? null : (
        <Button
          kind="link"
          disabled={isBusy}
          onClick={() => {
            onLoad?.();
            post({ type: 'loadPart', thread, key: rowKey, path });
          }}
        >
          {load}
        </Button>
      )}
      <Button kind="link" onClick={() => post({ type: 'openPart', thread, key: rowKey, path })}>
        {t('Open in Editor')}
      </Button>
    </div>
  );
}

function ImagePart({ part, rowKey, path }: { part: Extract<Part, { type: 'image' }>; rowKey: string; path: string }): VNode {
  const { t, locale } = useContext(Panel);
  const { thread } = useContext(Rows);
  const loaded = useContext(Loaded).get(partId(thread, rowKey, path));
  const facts = join(' · ', part.mediaType, part.bytes === undefined ? undefined : toByteSize(part.bytes, locale));
  const address = loaded?.isImage === true ? toImageAddress(loaded.text, part.mediaType) : undefined;
  return (
    <div class="part part-image">
      <div class="partTitle flexLine">
        <Icon name="image" /> {visible(part.name === '' ? t('Image') : part.name)}
        <span class="faint">{visible(facts)}</span>
      </div>
      {address !== undefined ? <img class="picture" src={address} alt={part.name === '' ? t('Image') : part.name} /> : null}
      {part.source === 'base64' ? (
        <PartLinks {...{ rowKey, path }} problem={loaded?.problem} load={address === undefined ? t('Show Image') : undefined} />
      ) : (
        <div class="faint">{t("Images from other sites aren't loaded.")}</div>
      )}
    </div>
  );
}

/** Returns a data URL for an image in the event. Returns `undefined` for any other image, because a remote image would be fetched. */
function toImageAddress(text: string, mediaType: string | undefined): string | undefined {
  const address = text.startsWith('data:') ? text : `data:${mediaType ?? ''};base64,${text}`;
  return /^data:image\/(?:png|jpeg|gif|webp);base64,/.test(address) ? address : undefined;
}
