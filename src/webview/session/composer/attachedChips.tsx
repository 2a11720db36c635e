import type { VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { AttachedFile, Composing } from '../../../shared/session/composing';
import { toByteSize } from '../../../shared/text';
import { Button } from '../../controls/button';
import { Icon } from '../../controls/icon';
import { Panel, Sends } from '../../controls/panelContext';
import { visible } from '../../controls/text/visibleText';

/** The files attached to the message, how each is sent, and warnings about it. */
export function AttachedChips({ files, onLeft }: { files: readonly AttachedFile[]; onLeft: () => void }): VNode | null {
  const { t, locale, post } = useContext(Panel);
  if (files.length === 0) {
    return null;
  }
  return (
    <ul class="attached flexColumn" aria-label={t('Sent with the message')}>
      {files.map(({ id, path, bytes, as, notAsText, warning }) => (
        <li key={id} class={warning === undefined ? 'attached-chip flexLine' : 'attached-chip flexLine attached-warned'}>
          {warning === undefined ? <Icon name="file" /> : <Icon name="warning" tone="warning" />}
          <span class="attached-words">
            <span class="attached-path">{visible(path)}</span>{' '}
            <span class="hint">
              {toByteSize(bytes, locale)} · {as === 'text' ? t('as text') : t('uploaded as a session file')}
            </span>
            {notAsText === undefined ? null : <span class="hint"> · {visible(notAsText)}</span>}
            {warning === undefined ? null : <span class="attached-warning"> {visible(warning)}</span>}
          </span>
          {notAsText === undefined ? (
            <Button kind="link" onClick={() => post({ type: 'attachFile', id, as: as === 'text' ? 'upload' : 'text' })}>
              {as === 'text' ? t('Upload Instead') : t('Send as Text')}
            </Button>
          ) : null}
          <Button
            kind="icon"
            icon="cross"
            label={t('Remove {0}', path)}
            onClick={() => {
              post({ type: 'detachFile', id });
              onLeft();
            }}
          />
        </li>
      ))}
    </ul>
  );
}

/** Tracks attached files that were not sent yet. Restores the files of a message that could not be sent. */
export function useAttached({ attached }: Composing): {
  readonly files: readonly AttachedFile[];
  readonly onLeaving: (clientId: string, files: readonly AttachedFile[]) => void;
} {
  const { post } = useContext(Panel);
  const sendResults = useContext(Sends);
  const [leaving, setLeaving] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  useEffect(() => post({ type: 'composing' }), []);
  const pending = [...leaving].filter(([clientId]) => !sendResults.has(clientId));
  return {
    files: (attached?.files ?? []).filter(({ id }) => !pending.some(([, ids]) => ids.has(id))),
    onLeaving: (clientId, files) => setLeaving(new Map([...pending, [clientId, new Set(files.map(({ id }) => id))]])),
  };
}
