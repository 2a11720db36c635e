import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ToolRow } from '../../../shared/session/rows/rows';
import type { SessionView } from '../../../shared/session/sessionView';
import { toLabel } from '../../../shared/text';
import { Button } from '../../controls/button';
import { Panel } from '../../controls/panelContext';

type CreatedFile = NonNullable<SessionView['made']>[number];

/** Directory whose files the service saves. */
const outputs = '/outputs/';

/** Returns the saved file that a call wrote, by its path, or `undefined`. */
export function fileCreatedBy(row: ToolRow, made: readonly CreatedFile[]): CreatedFile | undefined {
  if (made.length === 0 || row.state !== 'done' || !('text' in row.input)) {
    return undefined;
  }
  // The arguments may be long and cut. If the path doesn't come before the content, the file is only found above the timeline.
  const [, text] = /"(?:file_path|path)": ?"((?:[^"\\]|\\.)*)"/.exec((row.input.text ?? '').slice(0, 2000)) ?? [];
  const place = text?.lastIndexOf('/') ?? -1;
  if (text === undefined || !text.slice(0, place + 1).includes(outputs)) {
    return undefined;
  }
  const name = text.slice(place + 1);
  // The newest file comes first.
  return made.find(file => file.name === name);
}

/** Buttons to open and download a file that a call wrote. */
export function CreatedFileActions({ file: { id, name } }: { file: CreatedFile }): VNode {
  const { t, post } = useContext(Panel);
  const shown = toLabel(name, 80);
  return (
    <span class="rowMade">
      <Button look="link" label={t('Open {0}', shown)} onClick={() => post({ type: 'openMadeFile', id })}>
        {t('Open File')}
      </Button>
      <Button look="icon" icon="catchingUp" label={t('Download {0}', shown)} onClick={() => post({ type: 'downloadMadeFile', id })} />
    </span>
  );
}
