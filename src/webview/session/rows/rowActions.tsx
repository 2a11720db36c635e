import type { VNode } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { kindOf } from '../../../shared/session/rows/rowKinds';
import type { Part, Row } from '../../../shared/session/rows/rows';
import { Button } from '../../controls/button';
import { Panel } from '../../controls/panelContext';
import { Rows } from '../rowsContext';
import { hasCutParts } from '../../../shared/session/rows/rowParts';
import { toCopyText } from '../../../shared/session/rows/rowText';
import type { FromWebview } from '../../../shared/session/sessionProtocol';
import { fileCallOf, isFileTool } from '../../../shared/session/fileChange';

/** Actions of a row, shown for the row under the pointer and the focused one. */
export function RowActions({ row }: { row: Row }): VNode {
  const { post, t } = useContext(Panel);
  const { thread, canWrite } = useContext(Rows);
  const { hasChange, hasFile } = useMemo(() => fileActsOf(row), [row]);
  return (
    <div class="rowActions">
      {hasChange ? (
        <Button look="icon" icon="diff" label={t('Open Change')} onClick={() => post({ type: 'openChange', thread, key: row.key })} />
      ) : null}
      {hasFile ? (
        <Button
          look="icon"
          icon="goToFile"
          label={t('Open in Workspace')}
          onClick={() => post({ type: 'openInWorkspace', thread, key: row.key })}
        />
      ) : null}
      <Button look="icon" icon="copy" label={t('Copy')} onClick={() => post(toCopyMessage(row, thread))} />
      <Button look="icon" icon="open" label={t('Open as JSON')} onClick={() => post({ type: 'openRaw', thread, key: row.key })} />
      {canWrite && thread === '' ? (
        <Button look="icon" icon="link" label={t('Copy Link')} onClick={() => post({ type: 'copyLink', key: row.key })} />
      ) : null}
      {canWrite && thread === '' && kindOf(row).isStartable === true ? (
        <Button look="icon" icon="play" label={t('Start Again From Here…')} onClick={() => post({ type: 'startAgain', key: row.key })} />
      ) : null}
    </div>
  );
}

/** Returns the message that copies the text of a row. If the text is cut, the host copies it, because it has all of it. */
export function toCopyMessage(row: Row, thread: string): Extract<FromWebview, { readonly type: 'copyText' | 'copyRow' }> {
  return hasCutParts(row) ? { type: 'copyRow', thread, key: row.key } : { type: 'copyText', text: toCopyText(row) };
}

/** Actions on the file that a row is about. */
export interface FileActs {
  readonly hasChange: boolean;
  readonly hasFile: boolean;
}

const none: FileActs = { hasChange: false, hasFile: false };

/** Returns the actions on a row's file. If the arguments are cut, decides by the tool, because the host has them whole. */
export function fileActsOf(row: Row): FileActs {
  // A malformed row must not break the others.
  const input = row.kind === 'tool' && isFileTool(row.name) ? (row.input as Part | undefined) : undefined;
  if (row.kind !== 'tool' || input?.type !== 'json') {
    return none;
  }
  if (input.cut !== undefined) {
    return { hasChange: row.name.toLowerCase() !== 'read', hasFile: true };
  }
  const call = fileCallOf(row.name, input.text);
  return call === undefined ? none : { hasChange: call.change !== undefined, hasFile: true };
}
