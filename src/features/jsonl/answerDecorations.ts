import * as vscode from 'vscode';
import { combine } from '../../common/disposables';
import { onDidChangeSettings, readSetting } from '../../common/settings';
import type { ResultEntry } from '../../jsonl/resultsReport';
import { type AnswerMark, answerMarks, toAnswerHover, toAnswerLine, toMark } from './answerPresentation';
import type { DocumentAnswers } from './documentAnswers';
import type { OpenRequestFile, RequestDocuments } from './requestDocuments';
import { requestFileSelector } from './requestFile';

// Scrolling draws at most this often; lines a screen ahead are there already.
const drawDelay = 60;
const linesAhead = 30;
// What one editor shows at once, whatever its visible ranges say.
const mostLines = 400;

/** Shows the fetched answers behind their request lines, on screen only, and whole in a hover. */
export class AnswerDecorations implements vscode.HoverProvider, vscode.Disposable {
  private readonly types = new Map<AnswerMark, vscode.TextEditorDecorationType>(
    answerMarks.map(mark => [mark, vscode.window.createTextEditorDecorationType(toDecoration(mark))]),
  );
  private readonly subscriptions: vscode.Disposable;
  private readonly turns = new WeakMap<vscode.TextEditor, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly documents: RequestDocuments,
    private readonly answers: DocumentAnswers,
    private readonly reportFailure: (error: unknown) => void,
  ) {
    const draw = () => this.drawSoon();
    this.subscriptions = combine(
      vscode.languages.registerHoverProvider(requestFileSelector, this),
      vscode.window.onDidChangeTextEditorVisibleRanges(draw),
      vscode.window.onDidChangeVisibleTextEditors(draw),
      documents.onDidChange(draw),
      documents.onDidClose(draw),
      answers.onDidChange(draw),
      onDidChangeSettings(['managedAgents.editor.answers'], draw),
    );
    this.drawSoon();
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const file = this.documents.get(document);
    if (file === undefined) {
      return undefined;
    }
    const entry = this.answers.shownAt(file, position.line);
    const answer = entry && (await this.answers.read(file, entry));
    if (entry === undefined || answer === undefined) {
      return undefined;
    }
    // Neither trusted nor with HTML: that is the default, and it must stay so for what a model wrote.
    const content = new vscode.MarkdownString(toAnswerHover(entry, answer.text, answer.origin, vscode.l10n.t, vscode.env.language));
    return new vscode.Hover(content, document.lineAt(position.line).range);
  }

  private drawSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const editor of vscode.window.visibleTextEditors) {
        this.draw(editor).catch(this.reportFailure);
      }
    }, drawDelay);
  }

  private async draw(editor: vscode.TextEditor): Promise<void> {
    const turn = (this.turns.get(editor) ?? 0) + 1;
    const file = this.documents.get(editor.document);
    if (file === undefined && turn === 1) {
      return;
    }
    this.turns.set(editor, turn);
    const { version } = editor.document;
    const isShown = file !== undefined && readSetting('managedAgents.editor.answers', editor.document);
    const placed = isShown ? await this.place(file, editor) : new Map<AnswerMark, vscode.DecorationOptions[]>();
    if (this.turns.get(editor) !== turn || editor.document.version !== version) {
      return;
    }
    for (const [mark, type] of this.types) {
      editor.setDecorations(type, placed.get(mark) ?? []);
    }
  }

  private async place(file: OpenRequestFile, editor: vscode.TextEditor): Promise<Map<AnswerMark, vscode.DecorationOptions[]>> {
    const found: (readonly [line: number, entry: ResultEntry])[] = [];
    for (const line of linesOnScreen(editor)) {
      const entry = this.answers.entryAt(file, line);
      if (entry !== undefined) {
        found.push([line, entry]);
      }
    }
    // Read before the await: the lines may be others after it.
    const ends = found.map(([line]) => editor.document.lineAt(line).range.end);
    const previews = await this.answers.previews(
      file,
      found.map(([, entry]) => entry),
    );
    const placed = new Map<AnswerMark, vscode.DecorationOptions[]>();
    for (const [index, [, entry]] of found.entries()) {
      const end = ends[index];
      if (end === undefined) {
        continue;
      }
      const mark = toMark(entry);
      const contentText = toAnswerLine(entry, previews[index] ?? '', vscode.l10n.t, vscode.env.language);
      const options = { range: new vscode.Range(end, end), renderOptions: { after: { contentText } } };
      placed.set(mark, [...(placed.get(mark) ?? []), options]);
    }
    return placed;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
    for (const type of this.types.values()) {
      type.dispose();
    }
  }
}

function* linesOnScreen(editor: vscode.TextEditor): Generator<number> {
  const seen = new Set<number>();
  for (const { start, end } of editor.visibleRanges) {
    const last = Math.min(editor.document.lineCount - 1, end.line + linesAhead, start.line + mostLines);
    for (let line = Math.max(0, start.line - linesAhead); line <= last; line++) {
      if (!seen.has(line)) {
        seen.add(line);
        yield line;
      }
    }
  }
}

function toDecoration(mark: AnswerMark): vscode.DecorationRenderOptions {
  return {
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
    after: { margin: '0 0 0 2em', color: new vscode.ThemeColor(toColor(mark)), fontStyle: 'normal' },
    overviewRulerLane: vscode.OverviewRulerLane.Right,
    ...(mark === 'succeeded' ? {} : { overviewRulerColor: new vscode.ThemeColor(toColor(mark)) }),
    ...toGutter(mark),
  };
}

function toColor(mark: AnswerMark): string {
  switch (mark) {
    case 'succeeded':
      return 'editorCodeLens.foreground';
    case 'errored':
    case 'refused':
      return 'editorError.foreground';
    default:
      return 'editorWarning.foreground';
  }
}

/** Long lines hide what stands behind them: the sign in the gutter is always on screen. Each mark has a shape of its own. */
function toGutter(mark: AnswerMark): vscode.DecorationRenderOptions {
  const icon = (color: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="${color}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${toShape(mark, color)}</svg>`;
    return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
  };
  const [dark, light] = toGutterColors(mark);
  return { gutterIconSize: '75%', dark: { gutterIconPath: icon(dark) }, light: { gutterIconPath: icon(light) } };
}

function toGutterColors(mark: AnswerMark): readonly [dark: string, light: string] {
  switch (mark) {
    case 'succeeded':
      return ['#73c991', '#287d3c'];
    case 'errored':
    case 'refused':
      return ['#f48771', '#c0392b'];
    default:
      return ['#e2c08d', '#8a6100'];
  }
}

function toShape(mark: AnswerMark, color: string): string {
  switch (mark) {
    case 'succeeded':
      return '<path d="M3 8.5l3.5 3.5L13 4.5"/>';
    case 'cut_short':
      return `<circle cx="8" cy="8" r="5.5"/><path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="${color}" stroke="none"/>`;
    case 'refused':
      return '<circle cx="8" cy="8" r="5.5"/><path d="M4.2 11.8l7.6-7.6"/>';
    case 'errored':
      return '<path d="M4 4l8 8M12 4l-8 8"/>';
    case 'canceled':
      return '<path d="M3.5 8h9"/>';
    case 'expired':
      return '<circle cx="8" cy="8" r="5.5"/><path d="M8 4.8V8l2.2 1.6"/>';
    case 'other':
      return '<path d="M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4M8 12.4v.1"/>';
  }
}
