import { filterEvents } from '../../../shared/session/exporting/sessionJsonl';
import type { FromWebview } from '../../../shared/session/sessionProtocol';
import type { PanelSource } from '../live/panelSource';
import { askFormat, askExportPath, exportTo } from './exportFile';
import type { ExportFormat } from './exportNames';

type ExportRequest = Extract<FromWebview, { readonly type: 'export' }>;

/**
 * Exports the content of a panel, after asking for the format. Exports either the filtered rows of one thread, or everything. For
 * everything, calls `exportWhole` if the service has more than the panel, else exports the logs of all opened threads.
 */
export async function exportShown(
  source: PanelSource,
  { thread, filter }: ExportRequest,
  exportWhole?: (format: ExportFormat) => Promise<void>,
): Promise<void> {
  const { format, isPart } = await askFormat(filter !== undefined);
  if (!isPart && exportWhole !== undefined) {
    return await exportWhole(format);
  }
  const { view } = source;
  const target = await askExportPath(view.title || view.firstWords, view.id, format);
  const logs = (isPart ? [thread] : source.openThreads).flatMap(id => {
    const transcript = source.transcript(id);
    if (transcript === undefined) {
      return [];
    }
    return [{ thread: id, events: isPart && filter !== undefined ? filterEvents(transcript, filter) : [...transcript.loggedEvents()] }];
  });
  await exportTo(target, format, async () => ({
    header: {
      exportedAt: new Date().toISOString(),
      source: source.name,
      ...source.described,
      ...(isPart && filter !== undefined ? { filtered: filter } : {}),
    },
    logs,
  }));
}
