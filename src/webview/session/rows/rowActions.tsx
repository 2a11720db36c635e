import type { VNode } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { Row } from '../../../shared/session/rows/rows';
import { Button } from '../controls/button';
import { Panel } from '../panelContext';
import { fileActsOf } from './fileActs';
import { Rows } from './rowsContext';
import { toCopyMessage } from './toCopyMessage';

/** Rows that say what was said or done: a new session can go on from them. */
const startable: ReadonlySet<Row['kind']> = new Set(['user', 'agent', 'tool']);

export function isStartable({ kind }: Row): boolean {
  return startable.has(kind);
}

/** What can be done with a row; shown for the one under the pointer and the one with the keyboard. */
export function RowActions({ row, isRaw, onRaw }: { row: Row; isRaw: boolean; onRaw: () => void }): VNode {
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
      <Button look="icon" icon="braces" label={t('Show Raw')} isPressed={isRaw} onClick={onRaw} />
      <Button look="icon" icon="copy" label={t('Copy')} onClick={() => post(toCopyMessage(row, thread))} />
      <Button look="icon" icon="open" label={t('Open as JSON')} onClick={() => post({ type: 'openRaw', thread, key: row.key })} />
      {canWrite && thread === '' ? (
        <Button look="icon" icon="link" label={t('Copy Link')} onClick={() => post({ type: 'copyLink', key: row.key })} />
      ) : null}
      {canWrite && thread === '' && isStartable(row) ? (
        <Button look="icon" icon="play" label={t('Start Again From Here…')} onClick={() => post({ type: 'startAgain', key: row.key })} />
      ) : null}
    </div>
  );
}
