import type { VNode } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { fileCallOf, isFileTool } from '../../../shared/session/fileChange';
import { kindOf } from '../../../shared/session/rows/rowKinds';
import { hasCutParts } from '../../../shared/session/rows/rowParts';
import type { Part, Row } from '../../../shared/session/rows/rows';
import { toCopyText } from '../../../shared/session/rows/rowText';
import type { FromWebview } from '../../../shared/session/sessionProtocol';
import { Button } from '../../controls/button';
import type { IconName } from '../../controls/icon';
import { Panel } from '../../controls/panelContext';
import { Rows } from '../rowsContext';

/** Actions of a row, shown for the row under the pointer and for the focused row. */
export function RowActions({ row }: { row: Row }): VNode {
  const { post, t } = useContext(Panel);
  const { thread, canWrite } = useContext(Rows);
  const { hasChange, hasFile } = useMemo(() => fileActsOf(row), [row]);
  const { key } = row;
  const isOwn = canWrite && thread === '';
  // Messages are created on a click, because a malformed row must not break the other rows.
  const acts: readonly (readonly [isPossible: boolean, icon: IconName, label: string, toMessage: () => FromWebview])[] = [
    [hasChange, 'diff', t('Open Change'), () => ({ type: 'openChange', thread, key })],
    [hasFile, 'goToFile', t('Open in Workspace'), () => ({ type: 'openInWorkspace', thread, key })],
    [true, 'copy', t('Copy'), () => toCopyMessage(row, thread)],
    [true, 'open', t('Open as JSON'), () => ({ type: 'openRaw', thread, key })],
    [isOwn, 'link', t('Copy Link'), () => ({ type: 'copyLink', key })],
    [isOwn && kindOf(row).isStartable === true, 'play', t('Start Again From Here...'), () => ({ type: 'startAgain', key })],
  ];
  return (
    <div class="rowActions">
      {acts.map(([isPossible, icon, label, toMessage]) =>
        isPossible ? <Button key={icon} kind="icon" icon={icon} label={label} onClick={() => post(toMessage())} /> : null,
      )}
    </div>
  );
}

/** Returns the message that copies the text of a row. If the text is cut, the host copies the whole text. */
export function toCopyMessage(row: Row, thread: string): Extract<FromWebview, { readonly type: 'copyText' | 'copyRow' }> {
  return hasCutParts(row) ? { type: 'copyRow', thread, key: row.key } : { type: 'copyText', text: toCopyText(row) };
}

const none = { hasChange: false, hasFile: false };

/**
 * Returns the actions on a row's file. If the arguments are cut, they depend only on the tool, because the host has the complete arguments.
 */
export function fileActsOf(row: Row): typeof none {
  // A malformed row must not break the other rows.
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
