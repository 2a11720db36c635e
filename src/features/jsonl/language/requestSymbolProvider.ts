import * as vscode from 'vscode';
import { toLabel } from '../../../common/text';
import { type OutlinePart, outlineOf } from '../../../jsonl/guide/requestOutline';
import type { RequestDocuments } from '../requestDocuments';

// Longer files show what their requests are made of only near what is on screen.
const linesInFull = 2000;
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
    if (this.documents.get(document) === undefined) {
      return undefined;
    }
    const { version, lineCount } = document;
    const isInFull = linesWithParts(document);
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
      const symbol = toSymbol(document.lineAt(line), isInFull(line));
      if (symbol !== undefined) {
        symbols.push(symbol);
      }
    }
    return symbols;
  }
}

function linesWithParts(document: vscode.TextDocument): (line: number) => boolean {
  if (document.lineCount <= linesInFull) {
    return () => true;
  }
  const near = vscode.window.visibleTextEditors
    .filter(editor => editor.document === document)
    .flatMap(({ visibleRanges }) => visibleRanges)
    .map(({ start, end }) => [start.line - linesAround, end.line + linesAround] as const);
  return line => near.some(([first, last]) => line >= first && line <= last);
}

function toSymbol({ text, range, lineNumber }: vscode.TextLine, withParts: boolean): vscode.DocumentSymbol | undefined {
  const outline = outlineOf(text, withParts);
  if (outline === undefined) {
    return undefined;
  }
  const name = toLabel(outline.customId || vscode.l10n.t('line {0}', lineNumber + 1), 80);
  const detail = [outline.model ?? '', outline.words].filter(part => part !== '').join(' · ');
  const place = new vscode.Range(lineNumber, outline.start, lineNumber, outline.end);
  const symbol = new vscode.DocumentSymbol(name, toLabel(detail, 120), vscode.SymbolKind.Object, range, place);
  symbol.children = outline.parts.map(part => toChild(part, lineNumber));
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
