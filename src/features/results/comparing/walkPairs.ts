import * as vscode from 'vscode';
import { showFailure } from '../../../common/asking/notifications';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { describeError } from '../../../common/text/describeError';
import type { ComparedKind } from '../../../jsonl/comparing/comparingJobs';
import { toLabel } from '../../../shared/text';
import type { ComparedPairs } from './comparedPairs';
import { type ComparedPair, changeWords, kindIcon, kindWords, toDiffTexts } from './comparePresentation';

/** Pairs that the list holds at most, the worst first. */
const mostListed = 2000;
/** Pairs that are opened in one editor. */
const mostTogether = 50;
const listedKinds: readonly ComparedKind[] = ['regressed', 'lost', 'changed', 'fixed', 'added'];

interface PairItem extends vscode.QuickPickItem {
  readonly place?: number;
}

export interface PairWalk {
  readonly pairs: ComparedPairs;
  readonly documents: ReadonlyDocuments;
  readonly title: string;
  readonly showSummary: () => Promise<void>;
}

/** Lists the pairs that differ; Enter shows one in the diff editor and the list stays, so that the next one is one key away. Settles when it is closed. */
export async function walkPairs(walk: PairWalk): Promise<void> {
  const { t } = vscode.l10n;
  const { pairs } = walk;
  const pick = vscode.window.createQuickPick<PairItem>();
  const summary = { iconPath: new vscode.ThemeIcon('markdown'), tooltip: t('Show the Summary') };
  const together = { iconPath: new vscode.ThemeIcon('diff-multiple'), tooltip: t('Open the First {0} in One Editor', mostTogether) };
  pick.title = walk.title;
  pick.placeholder = t('Enter shows the difference; the list stays. Type an id or a kind to filter.');
  pick.buttons = [summary, together];
  pick.items = toItems(pairs);
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.keepScrollPosition = true;
  const act = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      await showFailure(toLabel(describeError(error), 1000));
    }
  };
  const closed = new Promise<void>(resolve => {
    pick.onDidHide(resolve);
  });
  pick.onDidAccept(() => {
    const place = pick.activeItems[0]?.place;
    if (place !== undefined) {
      void act(() => showPair(walk, pairs.at(place)));
    }
  });
  pick.onDidTriggerButton(button => {
    pick.hide();
    void act(() => (button === summary ? walk.showSummary() : showTogether(walk)));
  });
  pick.show();
  await closed;
  pick.dispose();
}

function toItems(pairs: ComparedPairs): readonly PairItem[] {
  const { t } = vscode.l10n;
  const items: PairItem[] = [];
  let listed = 0;
  for (const kind of listedKinds) {
    const places = pairs.placesOf(kind, mostListed - listed);
    const count = pairs.comparison.counts[kind];
    if (places.length > 0) {
      const words = `${kindWords(kind, t)} · ${count.toLocaleString(vscode.env.language)}`;
      items.push({ label: words, kind: vscode.QuickPickItemKind.Separator });
    }
    for (const place of places) {
      const pair = pairs.at(place);
      items.push({
        label: `$(${kindIcon(kind)}) ${plain(nameOf(pair))}`,
        description: `${kindWords(kind, t)}: ${changeWords(pair, t)}`,
        place,
      });
    }
    listed += places.length;
  }
  if (listed < pairs.count) {
    items.push({ label: t('The first {0} of {1} are listed', listed, pairs.count), kind: vscode.QuickPickItemKind.Separator });
  }
  return items;
}

/** A label in which `$(name)` makes no icon. */
function plain(text: string): string {
  return toLabel(text, 100).replaceAll('$(', '$\u200b(');
}

function nameOf({ before, after }: ComparedPair): string {
  const id = before?.customId ?? after?.customId ?? '';
  return before !== undefined && after !== undefined && before.customId !== after.customId ? `${id} / ${after.customId}` : id;
}

async function showPair(walk: PairWalk, pair: ComparedPair): Promise<void> {
  const { left, right } = await toDocuments(walk, pair);
  const title = `${toLabel(nameOf(pair), 60)}: ${changeWords(pair, vscode.l10n.t)}`;
  await vscode.commands.executeCommand('vscode.diff', left, right, title, {
    preview: true,
    preserveFocus: true,
  } satisfies vscode.TextDocumentShowOptions);
}

async function showTogether(walk: PairWalk): Promise<void> {
  const places = Array.from({ length: Math.min(mostTogether, walk.pairs.count) }, (_, place) => place);
  const resources: [vscode.Uri, vscode.Uri, vscode.Uri][] = [];
  for (const place of places) {
    const { left, right } = await toDocuments(walk, walk.pairs.at(place));
    resources.push([right, left, right]);
  }
  await vscode.commands.executeCommand('vscode.changes', walk.title, resources);
}

async function toDocuments(
  { pairs, documents }: PairWalk,
  pair: ComparedPair,
): Promise<{ readonly left: vscode.Uri; readonly right: vscode.Uri }> {
  const [before, after] = await pairs.lines(pair);
  const texts = toDiffTexts(before, after);
  const name = toLabel(nameOf(pair), 60);
  return {
    left: documents.create(`${name}.${texts.ending}`, texts.before),
    right: documents.create(`${name}.${texts.ending}`, texts.after),
  };
}
