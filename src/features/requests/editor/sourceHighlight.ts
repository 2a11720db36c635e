import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { OffsetMap } from '../../../jsonl/pretty/offsetMap';
import { requestScheme } from '../documents/requestUri';
import type { EditedRequest } from './editedRequest';

/** Delay in milliseconds, short enough to follow a cursor key that is held down. */
const followMs = 60;

/** While a request is edited, highlights and reveals the field at the cursor in the visible source. Does not move the focus. */
export class SourceHighlight implements vscode.Disposable {
  private readonly mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.wordHighlightStrongBackground'),
    // High contrast themes have no such background.
    border: '1px solid var(--vscode-contrastActiveBorder, transparent)',
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.wordHighlightStrongForeground'),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly marked = new Set<vscode.TextEditor>();
  private readonly subscriptions: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;
  private known: { readonly from: string; readonly to: string; readonly map: OffsetMap } | undefined;

  constructor(private readonly editors: { get(uri: vscode.Uri): EditedRequest | undefined }) {
    this.subscriptions = combine(
      this.mark,
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor.document.uri.scheme === requestScheme) {
          this.later(() => this.follow(textEditor, true));
        }
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.later(() => this.showVisible())),
      vscode.window.onDidChangeActiveTextEditor(editor => {
        if (editor?.document.uri.scheme === requestScheme) {
          this.later(() => this.follow(editor, false));
        }
      }),
    );
  }

  private showVisible(): void {
    const lens = vscode.window.visibleTextEditors.find(({ document }) => document.uri.scheme === requestScheme);
    if (lens !== undefined) {
      this.follow(lens, false);
    } else {
      this.clear(new Set());
    }
  }

  private follow(lens: vscode.TextEditor, reveals: boolean): void {
    const edited = this.editors.get(lens.document.uri);
    const source = edited?.source.toString();
    const shown = new Set<vscode.TextEditor>();
    if (edited !== undefined && !edited.isLost) {
      const { line, text } = edited.line;
      for (const editor of vscode.window.visibleTextEditors) {
        if (editor.document.uri.toString() !== source || line >= editor.document.lineCount) {
          continue;
        }
        const offset = lens.document.offsetAt(lens.selection.active);
        const map = this.mapOf(lens.document.getText(), text);
        const [start, end] = map.tokenAt(offset) ?? [map.map(offset), map.map(offset)];
        const range = new vscode.Range(line, start, line, end);
        editor.setDecorations(this.mark, [range.isEmpty ? editor.document.lineAt(line).range : range]);
        shown.add(editor);
        if (reveals) {
          editor.revealRange(new vscode.Range(range.start, range.start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
        }
      }
    }
    this.clear(shown);
  }

  private mapOf(from: string, to: string): OffsetMap {
    if (this.known?.from !== from || this.known.to !== to) {
      this.known = { from, to, map: OffsetMap.between(from, to) };
    }
    return this.known.map;
  }

  private clear(except: ReadonlySet<vscode.TextEditor>): void {
    for (const editor of this.marked) {
      if (!except.has(editor)) {
        editor.setDecorations(this.mark, []);
      }
    }
    this.marked.clear();
    for (const editor of except) {
      this.marked.add(editor);
    }
  }

  private later(act: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, followMs);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
    this.marked.clear();
  }
}
