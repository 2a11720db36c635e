import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ToolRow } from '../../../shared/session/rows/rows';
import type { SessionView } from '../../../shared/session/sessionView';
import { toLabel } from '../../../shared/text';
import { Button } from '../controls/button';
import { Panel } from '../panelContext';

type MadeFile = NonNullable<SessionView['made']>[number];

/** Where the service looks for what a session makes. */
const outputs = '/outputs/';

/** The file that a call has written and the service keeps since, by its path; undefined where there is none. */
export function madeBy(row: ToolRow, made: readonly MadeFile[]): MadeFile | undefined {
  if (made.length === 0 || row.state !== 'done' || !('text' in row.input)) {
    return undefined;
  }
  // What is written may be long and cut; where to stands before it, or the file is found above the timeline only.
  const [, text] = /"(?:file_path|path)": ?"((?:[^"\\]|\\.)*)"/.exec((row.input.text ?? '').slice(0, 2000)) ?? [];
  const place = text?.lastIndexOf('/') ?? -1;
  if (text === undefined || !text.slice(0, place + 1).includes(outputs)) {
    return undefined;
  }
  const name = text.slice(place + 1);
  // The newest comes first.
  return made.find(file => file.name === name);
}

/** Opens and downloads what a call has made. */
export function MadeFileActions({ file: { id, name } }: { file: MadeFile }): VNode {
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
