import type { VNode } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { kindOf } from '../../../shared/session/rows/rowKinds';
import type { Row } from '../../../shared/session/rows/rows';
import { Button } from '../../controls/button';
import { Panel } from '../../controls/panelContext';
import { Rows } from '../rowsContext';
import { fileActsOf } from './fileActs';
import { toCopyMessage } from './toCopyMessage';

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
