import * as vscode from 'vscode';
import type { ServiceClient } from '../../../client/serviceClient';
import { listAll } from '../../../client/transport/pagination';
import { askChoice, askText } from '../../../common/asking/askSteps';
import { showInformation } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';
import type { ResourceFlow } from '../resourceFlow';
import { type MemoryTarget, type StoreFolder, showMemory, storeOf } from './openMemory';

/** Number of memories requested at a time, with their contents. */
const pageSize = 20;
const maxMemories = 5_000;
const maxFound = 500;

type Found = FoundAt & { readonly path: string };

/** Searches the contents and paths of the memories of a store, or of a folder in it, and opens the match that the user chooses. */
export async function searchMemories(flow: ResourceFlow, target: MemoryTarget): Promise<void> {
  const store = await storeOf(flow, target);
  const { client } = await flow.service.reach(store.connection, 'read');
  const where = store.label;
  const wanted = await askText({
    title: vscode.l10n.t('Search Memories'),
    prompt: vscode.l10n.t('Search text'),
    validate: text => (text.trim() === '' ? vscode.l10n.t('Enter some text') : undefined),
  });
  const lifetime = new AbortController().signal;
  const result = await withProgress(vscode.l10n.t('Searching {0}', where), lifetime, (signal, report) =>
    search(client, store, wanted, signal, searched => report(String(searched))),
  );
  if (result.found.length === 0) {
    void showInformation(
      result.isWhole ? vscode.l10n.t('No matches in {0}.', where) : vscode.l10n.t('No matches in the first {0} memories.', result.searched),
    );
    return;
  }
  const { path, line, column, excerpt } = await askChoice<Found>({
    title: vscode.l10n.t('Memories with "{0}"', toLabel(wanted, 60)),
    placeholder: vscode.l10n.t('{0} found in {1}', result.isWhole ? result.found.length : `${result.found.length}+`, where),
    choices: result.found.map(value => ({
      label: `$(note) ${withoutIcons(toLabel(value.path, 100))}`,
      description: value.excerpt === '' ? vscode.l10n.t('in the path') : vscode.l10n.t('line {0}', value.line + 1),
      detail: withoutIcons(toLabel(value.excerpt, 200)),
      value,
    })),
  });
  const start = new vscode.Position(line, column);
  const selection = new vscode.Range(start, start.translate(0, excerpt === '' ? 0 : wanted.length));
  await showMemory(flow, { connection: store.connection, storeId: store.storeId, path }, { selection });
}

/**
 * Reads the memories with their contents, page by page. `isWhole` is true if the search covered everything. Rejects if the search is
 * cancelled.
 */
async function search(
  client: ServiceClient,
  { storeId, folder }: Pick<StoreFolder, 'storeId' | 'folder'>,
  wanted: string,
  signal: AbortSignal,
  report: (searched: number) => void,
) {
  const { list } = client.memoryStores.memories(storeId);
  const found: Found[] = [];
  let searched = 0;
  let isWhole = true;
  const onCut = () => {
    isWhole = false;
  };
  const all = listAll(options => list({ ...options, pathPrefix: folder, view: 'full' }), { limit: pageSize, signal, onCut });
  for await (const { path, content } of all) {
    if (searched >= maxMemories || found.length >= maxFound) {
      return { found, searched, isWhole: false };
    }
    searched++;
    report(searched);
    if (!path) {
      continue;
    }
    const inText = findIn(content ?? '', wanted, maxFound - found.length);
    const inPath = inText.length === 0 && findIn(path, wanted, 1).length > 0 ? [{ line: 0, column: 0, excerpt: '' }] : [];
    found.push(...[...inText, ...inPath].map(one => ({ ...one, path })));
  }
  return { found, searched, isWhole };
}

/** Match of a search. All numbers are 0-based. */
interface FoundAt {
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
}

const before = 40;
const around = 160;

/** Finds a text in another text, ignoring case. Returns at most one match per line, and at most `most` matches. */
export function findIn(text: string, wanted: string, most: number): readonly FoundAt[] {
  const found: FoundAt[] = [];
  const lower = wanted.toLowerCase();
  for (const [line, content] of text.split(/\r\n|\r|\n/).entries()) {
    if (found.length >= most) {
      break;
    }
    const column = Math.min(content.toLowerCase().indexOf(lower), content.length);
    if (column >= 0) {
      const start = Math.max(0, column - before);
      found.push({ line, column, excerpt: `${start > 0 ? '…' : ''}${content.slice(start, start + around).trim()}` });
    }
  }
  return found;
}
