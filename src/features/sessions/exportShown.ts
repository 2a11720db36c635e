import { filterEvents } from '../../shared/session/exportJsonl';
import type { FromWebview } from '../../shared/session/protocol';
import { askPlace, exportTo } from './exportFile';
import type { PanelSource } from './panel/panelSource';

type ExportRequest = Extract<FromWebview, { readonly type: 'export' }>;

/** Exports what a panel has: with a filter the rows that it shows of one thread, without one the logs of all threads that were opened. */
export async function exportShown(source: PanelSource, { format, thread, filter }: ExportRequest): Promise<void> {
  const { view } = source;
  const target = await askPlace(view.title, view.id, format);
  const logs = (filter === undefined ? source.openThreads : [thread]).flatMap(id => {
    const transcript = source.transcript(id);
    return transcript === undefined
      ? []
      : [{ thread: id, events: filter === undefined ? [...transcript.loggedEvents()] : filterEvents(transcript, filter) }];
  });
  await exportTo(target, format, async () => ({
    header: {
      exportedAt: new Date().toISOString(),
      source: source.name,
      ...source.described,
      ...(filter === undefined ? {} : { filtered: filter }),
    },
    logs,
  }));
}
