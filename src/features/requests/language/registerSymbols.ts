import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { type OutlinePart, outlineOf, type RequestOutline } from '../../../jsonl/guide/requestOutline';
import { toLabel } from '../../../shared/text';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import { requestFileSelector } from '../documents/requestFile';
import { Slices } from '../documents/slices';

/**
 * Maximum number of lines in a full outline. VS Code recomputes the outline after every edit, so the outline of a longer file has details
 * only near the visible lines.
 */
const linesInFull = 2000;
const charactersInFull = 4_000_000;
/** Number of lines in a group. Smaller for longer lines. There are only a few sizes, so that edits rarely change the groups. */
const groupSizes = [500, 100, 20] as const;
const charactersInGroup = 250_000;
/** Delay after scrolling, in milliseconds. */
const settleDelay = 250;

/** Groups of a long document that were listed line by line. */
interface Listed {
  readonly groupSize: number;
  readonly groups: ReadonlySet<number>;
}

/**
 * Shows requests as symbols in the outline and breadcrumbs: by id, with model and first words, and below them system prompt, tools and
 * messages. In a long file, lists the requests near the visible lines, and combines the others in groups of some hundred lines. Scrolling
 * lists more requests.
 */
export function registerSymbols(documents: RequestDocuments): vscode.Disposable {
  const provider = new RequestSymbolProvider(documents);
  const register = () =>
    vscode.languages.registerDocumentSymbolProvider(requestFileSelector, provider, { label: vscode.l10n.t('Requests') });
  let registration = register();
  let timer: NodeJS.Timeout | undefined;
  const refresh = () => {
    timer = undefined;
    // VS Code only requests the symbols again after an edit, or after another provider is registered.
    registration.dispose();
    registration = register();
  };
  return combine(
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
      if (provider.lacks(textEditor.document)) {
        clearTimeout(timer);
        timer = setTimeout(refresh, settleDelay);
      }
    }),
    {
      dispose: () => {
        clearTimeout(timer);
        registration.dispose();
      },
    },
  );
}

class RequestSymbolProvider implements vscode.DocumentSymbolProvider {
  private readonly listed = new WeakMap<vscode.TextDocument, Listed>();

  constructor(private readonly documents: RequestDocuments) {}

  async provideDocumentSymbols(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentSymbol[] | undefined> {
    const file = this.documents.get(document);
    if (file === undefined) {
      return undefined;
    }
    const { version } = document;
    const slices = new Slices();
    /** Pauses if it is time to. Returns false if the work is no longer needed. */
    const goOn = async () => {
      if (slices.isOver) {
        await slices.pause();
      }
      return !token.isCancellationRequested && document.version === version;
    };
    const groupSize = groupSizeOf(document);
    if (groupSize === undefined) {
      this.listed.delete(document);
      return await toSymbols(document, 0, document.lineCount, goOn);
    }
    const groups = groupsOnScreen(document, groupSize);
    this.listed.set(document, { groupSize, groups });
    const symbols: vscode.DocumentSymbol[] = [];
    // There is no request after the last line break.
    const lineCount = document.lineCount - (document.lineAt(document.lineCount - 1).isEmptyOrWhitespace ? 1 : 0);
    for (let start = 0; start < lineCount; start += groupSize) {
      const end = Math.min(lineCount, start + groupSize);
      const found = groups.has(start / groupSize) ? await toSymbols(document, start, end, goOn) : [toGroup(file, start, end)];
      if (found === undefined || !(await goOn())) {
        return undefined;
      }
      symbols.push(...found);
    }
    return symbols;
  }

  /** Returns whether any visible line is not listed. */
  lacks(document: vscode.TextDocument): boolean {
    const listed = this.listed.get(document);
    return listed !== undefined && [...groupsOnScreen(document, listed.groupSize)].some(group => !listed.groups.has(group));
  }
}

/** Returns the number of lines in a group, or `undefined` if the document is short enough for a full outline. */
function groupSizeOf(document: vscode.TextDocument): number | undefined {
  const { lineCount } = document;
  const characters = document.offsetAt(document.lineAt(lineCount - 1).range.end);
  if (lineCount <= linesInFull && characters <= charactersInFull) {
    return undefined;
  }
  return groupSizes.find(size => (characters / lineCount) * size <= charactersInGroup) ?? groupSizes.at(-1);
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

async function toSymbols(
  document: vscode.TextDocument,
  start: number,
  end: number,
  goOn: () => Promise<boolean>,
): Promise<vscode.DocumentSymbol[] | undefined> {
  const symbols: vscode.DocumentSymbol[] = [];
  for (let line = start; line < end; line++) {
    if (!(await goOn())) {
      return undefined;
    }
    const { text, range } = document.lineAt(line);
    const outline = outlineOf(text, true);
    if (outline !== undefined) {
      symbols.push(toSymbol(outline, range));
    }
  }
  return symbols;
}

/** Returns a symbol for a group. Its range is only the first line: with all lines, it would stick to the top of the editor. */
function toGroup({ document, checker }: OpenRequestFile, start: number, end: number): vscode.DocumentSymbol {
  // The checker has no lines while it first reads the file.
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
  symbol.children = parts.map(part => toChild(part, line));
  return symbol;
}

function toChild({ kind, name, detail, start, end }: OutlinePart, line: number): vscode.DocumentSymbol {
  const range = new vscode.Range(line, start, line, end);
  return new vscode.DocumentSymbol(toLabel(name, 80), toLabel(detail, 120), kinds[kind], range, range);
}

const kinds: Readonly<Record<OutlinePart['kind'], vscode.SymbolKind>> = {
  system: vscode.SymbolKind.Module,
  message: vscode.SymbolKind.String,
  tool: vscode.SymbolKind.Function,
};
