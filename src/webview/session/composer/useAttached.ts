import { useContext, useEffect, useState } from 'preact/hooks';
import type { AttachedFile, Composing } from '../../../shared/session/composing';
import { Panel, Sends } from '../../controls/panelContext';

/** Tracks attached files that were not sent yet. The files of a message that could not be sent come back. */
export function useAttached(
  { attached }: Composing,
): {
  readonly files: readonly AttachedFile[];
  readonly onLeaving: (clientId: string, files: readonly AttachedFile[]) => void;
} {
  const { post } = useContext(Panel);
  const sendResults = useContext(Sends);
  const [leaving, setLeaving] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  useEffect(() => post({ type: 'composing' }), []);
  const underWay = [...leaving].filter(([clientId]) => !sendResults.has(clientId));
  return {
    files: (attached?.files ?? []).filter(({ id }) => !underWay.some(([, ids]) => ids.has(id))),
    onLeaving: (clientId, files) => setLeaving(new Map([...underWay, [clientId, new Set(files.map(({ id }) => id))]])),
  };
}
