import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';

// Longer than a double click: its second half must not hit a lens that the first one brought under the mouse.
const restDelay = 600;

/** The lines in which cursors rest, so that lenses stand there only: one line of each editor on screen, however large the file is. */
export class RestingCursors implements vscode.Disposable {
  private readonly resting = new WeakMap<vscode.TextDocument, readonly number[]>();
  private readonly moved = new Set<vscode.TextDocument>();
  private readonly changed = new vscode.EventEmitter<vscode.TextDocument>();
  private readonly subscriptions: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;
  /** The cursors of a document rest in other lines than before. */
  readonly onDidChange = this.changed.event;

  constructor() {
    this.subscriptions = combine(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow([textEditor])),
      vscode.window.onDidChangeVisibleTextEditors(editors => this.follow(editors)),
    );
  }

  /** The lines of a document in which a cursor rests, ascending, as far as the document still has them. */
  lines(document: vscode.TextDocument): readonly number[] {
    let lines = this.resting.get(document);
    if (lines === undefined || lines.length === 0) {
      lines = cursorsOf(document);
      this.resting.set(document, lines);
    }
    return lines.filter(line => line < document.lineCount);
  }

  private follow(editors: readonly vscode.TextEditor[]): void {
    const asked = editors.map(({ document }) => document).filter(document => this.resting.has(document));
    if (asked.length === 0) {
      return;
    }
    for (const document of asked) {
      this.moved.add(document);
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), restDelay);
  }

  private settle(): void {
    const moved = [...this.moved];
    this.moved.clear();
    for (const document of moved) {
      const lines = cursorsOf(document);
      if (lines.join() !== this.resting.get(document)?.join()) {
        this.resting.set(document, lines);
        this.changed.fire(document);
      }
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
    this.changed.dispose();
  }
}

function cursorsOf(document: vscode.TextDocument): readonly number[] {
  const editors = vscode.window.visibleTextEditors.filter(editor => editor.document === document);
  return [...new Set(editors.map(({ selection }) => selection.active.line))].sort((a, b) => a - b);
}
