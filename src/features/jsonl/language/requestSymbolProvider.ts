import * as vscode from 'vscode';
import { toLabel } from '../../../common/text';
import { type OutlinePart, outlineOf, type RequestOutline } from '../../../jsonl/guide/requestOutline';
import type { RequestDocuments } from '../requestDocuments';

// Longer files show what their requests are made of, and then what they say, only near what is on screen: an outline is asked
// for anew after every edit.
const linesWithParts = 2000;
const linesWithWords = 20_000;
const linesAround = 200;
/** Milliseconds that the thread is held at a time. */
const sliceMs = 5;

/** One symbol per request, by its id, with its model and first words; below it system prompt, tools and messages. */
export class RequestSymbolProvider implements vscode.DocumentSymbolProvider {
  constructor(private readonly documents: RequestDocuments) {}

  async provideDocumentSymbols(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentSymbol[] | undefined> {
    const file = this.documents.get(document);
    if (file === undefined) {
      return undefined;
    }
    const { version, lineCount } = document;
    const isNear = linesNearScreen(document);
    const { checker } = file.requests;
    const symbols: vscode.DocumentSymbol[] = [];
    let until = performance.now() + sliceMs;
    for (let line = 0; line < lineCount; line++) {
      if (performance.now() > until) {
        await new Promise(setImmediate);
        if (token.isCancellationRequested || document.version !== version) {
          return undefined;
        }
        until = performance.now() + sliceMs;
      }
      const info = lineCount > linesWithWords && !isNear(line) ? checker?.lineInfo(line) : undefined;
      const { text, range } = document.lineAt(line);
      const outline =
        info === undefined
          ? outlineOf(text, lineCount <= linesWithParts || isNear(line))
          : info.kind === 'request' || info.kind === 'params'
            ? { ...info, words: '', start: 0, end: 0, parts: [] }
            : undefined;
      const symbol = outline && toSymbol(outline, range);
      if (symbol !== undefined) {
        symbols.push(symbol);
      }
    }
    return symbols;
  }
}

function linesNearScreen(document: vscode.TextDocument): (line: number) => boolean {
  const near = vscode.window.visibleTextEditors
    .filter(editor => editor.document === document)
    .flatMap(({ visibleRanges }) => visibleRanges)
    .map(({ start, end }) => [start.line - linesAround, end.line + linesAround] as const);
  return line => near.some(([first, last]) => line >= first && line <= last);
}

function toSymbol({ customId, model = '', words, start, end, parts }: RequestOutline, range: vscode.Range): vscode.DocumentSymbol {
  const { line } = range.start;
  const name = toLabel(customId || vscode.l10n.t('line {0}', line + 1), 80);
  const detail = [model, words].filter(part => part !== '').join(' · ');
  const symbol = new vscode.DocumentSymbol(
    name,
    toLabel(detail, 120),
    vscode.SymbolKind.Object,
    range,
    new vscode.Range(line, start, line, end),
  );
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
