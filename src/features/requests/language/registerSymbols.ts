import * as vscode from 'vscode';
import { Debounce } from '../../../common/debounce';
import { combine } from '../../../common/disposables';
import { type OutlinePart, outlineOf, type RequestOutline } from '../../../jsonl/guide/requestOutline';
import { toLabel } from '../../../shared/text';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import { requestFileSelector } from '../documents/requestFile';
import { Slices } from '../documents/slices';

/**
 * Maximum number of lines in a full outline. VS Code recomputes the outline after every edit, so a longer file shows details only near the
 * visible lines.
 */
const linesInFull = 2000;
const charactersInFull = 4_000_000;
/** Number of lines in a group if the lines are long. */
const smallestGroup = 20;
/** Numbers of lines in a group. There are only a few sizes, so that edits rarely change the groups. */
const groupSizes = [500, 100, smallestGroup];
const charactersInGroup = 250_000;
/** Delay after scrolling, in milliseconds. */
const settleDelay = 250;

/** Groups of a long document that were listed line by line. */
interface Listed {
  readonly groupSize: number;
  readonly groups: ReadonlySet<number>;
}

/**
 * Shows requests as symbols in the outline and breadcrumbs: the id with model and first words, and below it the system prompt, tools and
 * messages. A long file lists only requests near the visible lines, and combines the other requests in groups of some hundred lines.
 * Scrolling lists more requests.
 */
export function registerSymbols(documents: RequestDocuments): vscode.Disposable {
  const listed = new WeakMap<vscode.TextDocument, Listed>();
  const debounce = new Debounce();
  const register = () =>
    vscode.languages.registerDocumentSymbolProvider(
      requestFileSelector,
      { provideDocumentSymbols: (document, token) => provideSymbols(documents.get(document), listed, token) },
      { label: vscode.l10n.t('Requests') },
    );
  let registration = register();
  const refresh = () => {
    // VS Code requests symbols again only after an edit, or after a new provider is registered.
    registration.dispose();
    registration = register();
  };
  return combine(
    debounce,
    { dispose: () => registration.dispose() },
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor: { document } }) => {
      const { groupSize, groups } = listed.get(document) ?? {};
      if (groupSize !== undefined && [...groupsOnScreen(document, groupSize)].some(group => groups?.has(group) !== true)) {
        debounce.run('', settleDelay, refresh);
      }
    }),
  );
}

async function provideSymbols(
  file: OpenRequestFile | undefined,
  listed: WeakMap<vscode.TextDocument, Listed>,
  token: vscode.CancellationToken,
): Promise<vscode.DocumentSymbol[] | undefined> {
  if (file === undefined) {
    return undefined;
  }
  const { document } = file;
  const { version } = document;
  const slices = new Slices();
  // There is no request after the last line break.
  const lineCount = document.lineCount - (document.lineAt(document.lineCount - 1).isEmptyOrWhitespace ? 1 : 0);
  const groupSize = groupSizeOf(document);
  const groups = groupsOnScreen(document, groupSize);
  listed.set(document, { groupSize, groups });
  const symbols: vscode.DocumentSymbol[] = [];
  for (let line = 0; line < lineCount; ) {
    if (slices.isOver) {
      await slices.pause();
    }
    if (token.isCancellationRequested || document.version !== version) {
      return undefined;
    }
    if (groupSize >= document.lineCount || groups.has(Math.floor(line / groupSize))) {
      const { text, range } = document.lineAt(line);
      const outline = outlineOf(text, true);
      symbols.push(...(outline === undefined ? [] : [toSymbol(outline, range)]));
      line++;
    } else {
      const end = Math.min(lineCount, line + groupSize);
      symbols.push(toGroup(file, line, end));
      line = end;
    }
  }
  return symbols;
}

/** Returns the number of lines in a group. Returns all lines if the document is short enough for a full outline. */
function groupSizeOf(document: vscode.TextDocument): number {
  const { lineCount } = document;
  const characters = document.offsetAt(document.lineAt(lineCount - 1).range.end);
  if (lineCount <= linesInFull && characters <= charactersInFull) {
    return lineCount;
  }
  return groupSizes.find(size => (characters / lineCount) * size <= charactersInGroup) ?? smallestGroup;
}

function groupsOnScreen(document: vscode.TextDocument, groupSize: number): ReadonlySet<number> {
  const groups = new Set<number>();
  for (const editor of vscode.window.visibleTextEditors) {
    for (const { start, end } of editor.document === document ? editor.visibleRanges : []) {
      for (let group = Math.floor(start.line / groupSize); group <= Math.floor(end.line / groupSize); group++) {
        groups.add(group);
      }
    }
  }
  return groups;
}

/** Returns a symbol for a group. Its range is only the first line, because a larger range would stick to the top of the editor. */
function toGroup({ document, checker }: OpenRequestFile, start: number, end: number): vscode.DocumentSymbol {
  // The checker is not available while it first reads the file.
  const idOf = (line: number) => (checker === undefined ? outlineOf(document.lineAt(line).text, false)?.customId : checker.idOfLine(line));
  const ids = [start, end - 1].map(line => idOf(line) ?? '…');
  const name = vscode.l10n.t('Lines {0} to {1}', start + 1, end);
  const detail = ids.every(id => id === '…') ? '' : ids.map(id => toLabel(id, 40)).join(' – ');
  const { range } = document.lineAt(start);
  return new vscode.DocumentSymbol(name, detail, vscode.SymbolKind.Array, range, new vscode.Range(range.start, range.start));
}

function toSymbol({ customId, model = '', words, start, end, parts }: RequestOutline, range: vscode.Range): vscode.DocumentSymbol {
  const { line } = range.start;
  const name = toLabel(customId || vscode.l10n.t('line {0}', line + 1), 80);
  const detail = [model, words].filter(part => part !== '').join(' · ');
  const selection = new vscode.Range(line, start, line, end);
  const symbol = new vscode.DocumentSymbol(name, toLabel(detail, 120), vscode.SymbolKind.Object, range, selection);
  symbol.children = parts.map(part => {
    const span = new vscode.Range(line, part.start, line, part.end);
    return new vscode.DocumentSymbol(toLabel(part.name, 80), toLabel(part.detail, 120), kinds[part.kind], span, span);
  });
  return symbol;
}

const kinds: Readonly<Record<OutlinePart['kind'], vscode.SymbolKind>> = {
  system: vscode.SymbolKind.Module,
  message: vscode.SymbolKind.String,
  tool: vscode.SymbolKind.Function,
};
