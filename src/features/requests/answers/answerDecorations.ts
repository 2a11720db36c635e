import * as vscode from 'vscode';
import { commandLink, toCommandLinks } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { Throttle } from '../../../common/lists/throttle';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import { requestFileSelector } from '../documents/requestFile';
import { toAnswerHover } from './answerHover';
import { answerColumn, type LineMark, lineMarks, toAnswerLine, toLineMark } from './answerPresentation';
import { toReference } from './answerRuns';
import type { DocumentAnswers } from './documentAnswers';
import type { FileAnswers } from './fileAnswers';
import type { FailingKind } from './submissionAnswerFiles';

// Number of lines to decorate before and after the visible lines, so that scrolling shows decorated lines.
const linesAhead = 30;
// Maximum number of lines to decorate in one editor, regardless of its visible ranges.
const maxLines = 400;
/** Maximum size in bytes of a result that a hover reads. */
const maxReadBytes = 4 << 20;
/** Maximum number of marks per editor in the overview ruler. The ruler has fewer pixels. */
const maxRulerMarks = 1500;

/** Decorations of lines, and of failing lines in the overview ruler. */
type Decorations = Map<LineMark | FailingKind, vscode.DecorationOptions[]>;

/** Shows fetched answers at the visible request lines and in hovers. Marks lines without a good result. */
export function registerAnswerDecorations(
  documents: RequestDocuments,
  answers: DocumentAnswers,
  reportFailure: (error: unknown) => void,
): vscode.Disposable {
  const toRuler = (color: string) => ({
    overviewRulerLane: vscode.OverviewRulerLane.Right,
    overviewRulerColor: new vscode.ThemeColor(color),
  });
  const options: readonly (readonly [LineMark | FailingKind, vscode.DecorationRenderOptions])[] = [
    ...lineMarks.map(mark => [mark, toDecoration(mark)] as const),
    ['warning', toRuler('editorWarning.foreground')],
    ['error', toRuler('editorError.foreground')],
  ];
  const types = new Map(options.map(([mark, one]) => [mark, vscode.window.createTextEditorDecorationType(one)]));
  const turns = new WeakMap<vscode.TextEditor, number>();
  const updateEditor = async (editor: vscode.TextEditor) => {
    const turn = (turns.get(editor) ?? 0) + 1;
    const file = documents.get(editor.document);
    if (file === undefined && turn === 1) {
      return;
    }
    turns.set(editor, turn);
    const { version } = editor.document;
    const isShown = file !== undefined && readSetting('managedAgents.editor.answers', editor.document);
    const decorations = isShown ? await findDecorations(answers.of(file), editor) : new Map();
    // A newer update sets the decorations.
    if (decorations === undefined || turns.get(editor) !== turn || editor.document.version !== version) {
      return;
    }
    for (const [mark, type] of types) {
      editor.setDecorations(type, decorations.get(mark) ?? []);
    }
  };
  const updating = new Throttle(() => {
    for (const editor of vscode.window.visibleTextEditors) {
      updateEditor(editor).catch(reportFailure);
    }
  });
  const update = () => updating.ask();
  update();
  return combine(
    ...types.values(),
    updating,
    vscode.languages.registerHoverProvider(requestFileSelector, {
      provideHover: (document, { line, character }) => hoverOf(documents.get(document), answers, line, character),
    }),
    vscode.window.onDidChangeTextEditorVisibleRanges(update),
    vscode.window.onDidChangeVisibleTextEditors(update),
    documents.onDidChange(update),
    documents.onDidClose(update),
    answers.onDidChange(update),
    onDidChangeSettings(['managedAgents.editor.answers'], update),
  );
}

async function hoverOf(
  file: OpenRequestFile | undefined,
  answers: DocumentAnswers,
  line: number,
  character: number,
): Promise<vscode.Hover | undefined> {
  if (file === undefined) {
    return undefined;
  }
  const { range, text } = file.document.lineAt(line);
  const acts = await requestActs(file, line, answers);
  // The command links are trusted, so they are separate from the model's text.
  const links = acts.length === 0 ? undefined : toCommandLinks(acts);
  const isShown = readSetting('managedAgents.editor.answers', file.document);
  const answer = isShown ? await answers.of(file)?.answerAt(line) : undefined;
  if (answer === undefined) {
    // To the right of the answer, the hover of the field is shown instead.
    return character <= answerColumn(text) && links !== undefined ? new vscode.Hover(links) : undefined;
  }
  const { entry } = answer;
  const read = entry !== undefined && entry.length <= maxReadBytes ? await answers.of(file)?.read(entry) : undefined;
  const context = { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() };
  // Not trusted and without HTML (the defaults), because the model wrote the text.
  const words = new vscode.MarkdownString(toAnswerHover(answer, read, context));
  return new vscode.Hover(links === undefined ? [words] : [words, links], range);
}

/** Returns the decorations of the lines on screen. `undefined` if the document or the results changed meanwhile. */
async function findDecorations(
  answers: FileAnswers | undefined,
  { document, visibleRanges }: vscode.TextEditor,
): Promise<Decorations | undefined> {
  const lines = [...linesOnScreen(document, visibleRanges)];
  const columns = new Map(lines.map(line => [line, answerColumn(document.lineAt(line).text)]));
  const found = await answers?.answersAt(lines);
  const failing = found && (await answers?.failing());
  if (found === undefined || failing === undefined) {
    return undefined;
  }
  const entries = [...found.values()].flatMap(({ entry }) => entry ?? []);
  const previews = (await answers?.previews(entries)) ?? [];
  const words = new Map(entries.map(({ row }, index) => [row, previews[index] ?? '']));
  const decorations: Decorations = new Map();
  const add = (mark: LineMark | FailingKind, line: number, column: number, contentText = '') => {
    const options = decorations.get(mark) ?? [];
    decorations.set(mark, options);
    options.push({
      range: new vscode.Range(line, column, line, column),
      ...(contentText !== '' && { renderOptions: { after: { contentText } } }),
    });
  };
  for (const [line, answer] of found) {
    const preview = words.get(answer.entry?.row ?? -1) ?? '';
    const text = toAnswerLine(answer, preview, vscode.l10n.t, vscode.env.language);
    add(toLineMark(answer), line, columns.get(line) ?? 0, text);
  }
  const step = Math.max(1, Math.ceil(failing.length / maxRulerMarks));
  for (const { line, kind } of failing.filter((_, at) => at % step === 0)) {
    add(kind, line, 0);
  }
  return decorations;
}

/** Returns the visible lines of a document, with up to `linesAhead` lines before and after them. */
function linesOnScreen({ lineCount }: vscode.TextDocument, visibleRanges: readonly vscode.Range[]): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const { start, end } of visibleRanges) {
    const last = Math.min(lineCount - 1, end.line + linesAhead, start.line + maxLines);
    for (let line = Math.max(0, start.line - linesAhead); line <= last; line++) {
      lines.add(line);
    }
  }
  return lines;
}

/** Returns the decoration of a line with a mark: text like an inlay hint in the mark's color, and a gutter icon with the mark's shape. */
function toDecoration(mark: LineMark): vscode.DecorationRenderOptions {
  const tone = tones[mark] ?? warningTone;
  return {
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
    after: {
      margin: '0 1ch',
      color: new vscode.ThemeColor(tone.text),
      backgroundColor: new vscode.ThemeColor('editorInlayHint.background'),
      fontStyle: 'normal',
    },
    ...toGutter(mark, tone),
  };
}

/** Color of the text of a mark, and of its gutter icon in dark and light themes. */
interface Tone {
  readonly text: string;
  readonly dark: string;
  readonly light: string;
}

const neutralTone: Tone = { text: 'disabledForeground', dark: '#9d9d9d', light: '#6f6f6f' };
const errorTone: Tone = { text: 'editorError.foreground', dark: '#f48771', light: '#c0392b' };
const warningTone: Tone = { text: 'editorWarning.foreground', dark: '#e2c08d', light: '#8a6100' };
const tones: Readonly<Partial<Record<LineMark, Tone>>> = {
  succeeded: { text: 'editorCodeLens.foreground', dark: '#73c991', light: '#287d3c' },
  changed: neutralTone,
  sent: neutralTone,
  failed: errorTone,
  refused: errorTone,
};

/** Returns the gutter icon, which stays visible when a line is scrolled to the side. */
function toGutter(mark: LineMark, { dark, light }: Tone): vscode.DecorationRenderOptions {
  const icon = (color: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="${color}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${shapes[mark].replaceAll('COLOR', color)}</svg>`;
    return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
  };
  return { gutterIconSize: '75%', dark: { gutterIconPath: icon(dark) }, light: { gutterIconPath: icon(light) } };
}

const circle = '<circle cx="8" cy="8" r="5.5"/>';
const dot = (x: number) => `<circle cx="${x}" cy="8" r="1.3" fill="COLOR" stroke="none"/>`;
/** SVG of the gutter icons. `COLOR` is replaced by the theme's color. */
const shapes: Readonly<Record<LineMark, string>> = {
  succeeded: '<path d="M3 8.5l3.5 3.5L13 4.5"/>',
  cut_short: `${circle}<path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="COLOR" stroke="none"/>`,
  refused: `${circle}<path d="M4.2 11.8l7.6-7.6"/>`,
  empty: circle,
  failed: '<path d="M4 4l8 8M12 4l-8 8"/>',
  canceled: '<path d="M3.5 8h9"/>',
  expired: `${circle}<path d="M8 4.8V8l2.2 1.6"/>`,
  other: '<path d="M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4M8 12.4v.1"/>',
  missing: '<circle cx="8" cy="8" r="5.5" stroke-dasharray="2 2.6"/>',
  changed: '<path d="M3.5 6h9M3.5 10h9M10.5 3l-5 10"/>',
  sent: `${dot(3.5)}${dot(8)}${dot(12.5)}`,
};

const actKind = vscode.CodeActionKind.Empty.append('managedAgents');

/** Returns the actions for a request and its answer on a line. Empty if the line is not a request. */
async function requestActs(file: OpenRequestFile, line: number, answers: DocumentAnswers): Promise<readonly vscode.Command[]> {
  const { t } = vscode.l10n;
  const { uri, version } = file.document;
  const lineKind = file.checker?.lineInfo(line)?.kind;
  if (lineKind !== 'request' && lineKind !== 'params') {
    return [];
  }
  const answer = await answers.of(file)?.answerAt(line);
  const shown = answers.of(file)?.shown;
  return [
    commandLink('managedAgents.request.run', t('Run This Request'), uri, line, version),
    commandLink('managedAgents.request.edit', t('Edit Request'), uri, line, version),
    ...(answer?.entry === undefined || shown === undefined
      ? []
      : [
          commandLink('managedAgents.answer.open', t('Open Answer'), uri, line, version),
          commandLink('managedAgents.results.show', t('Show in Results'), toReference(shown), answer.id),
        ]),
  ];
}

/** Offers the actions for a request in the light bulb of its line. */
export function registerRequestActs(documents: RequestDocuments, answers: DocumentAnswers): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: async (document, range, { only, triggerKind }) => {
      const file = documents.get(document);
      if (file === undefined || !range.isSingleLine || only?.contains(actKind) === false) {
        return [];
      }
      const { line } = range.start;
      // The gutter shows the mark of the answer, so VS Code would place the light bulb over the text.
      if (triggerKind === vscode.CodeActionTriggerKind.Automatic && (await answers.of(file)?.answerAt(line)) !== undefined) {
        return [];
      }
      return (await requestActs(file, line, answers)).map(command => {
        const action = new vscode.CodeAction(command.title, actKind);
        action.command = command;
        return action;
      });
    },
  };
  return vscode.languages.registerCodeActionsProvider(requestFileSelector, provider, { providedCodeActionKinds: [actKind] });
}
