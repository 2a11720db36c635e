// The part of the VS Code API that unit tests need. The build of the tests resolves `vscode` to this file.
// test/host/features/vscodeFake.test.ts compares it with the real API. Tests replace members of `window`, `workspace` and `commands`, and
// restore them afterwards.
import type * as vscode from 'vscode';
import manifest from '../../package.json';
import { Uri } from './vscodeUri';

export { Uri };

/** Returns an object that throws when a member is read that `members` does not have. */
function fake<T extends object>(name: string, members: Partial<T>): T {
  return new Proxy(members, {
    get(target, key) {
      if (key in target || typeof key === 'symbol' || key === 'then') {
        return Reflect.get(target, key);
      }
      return refuse(`${name}.${key}`);
    },
  }) as T;
}

/** Stand-in for members of the API that tests must not use. Reading one of its members throws. */
const unfaked = new Proxy({} as typeof vscode, {
  get: (_, name) =>
    new Proxy(class {}, {
      get: (target, key) => (typeof key === 'symbol' ? Reflect.get(target, key) : refuse(name)),
      construct: () => refuse(name),
    }),
});

function refuse(name: string | symbol): never {
  throw new Error(`${String(name)} has no fake in test/helpers/vscode.ts`);
}

/** Returns a function that throws. A test that needs an answer of the user replaces it. */
function unanswered(name: string): () => never {
  return () => {
    throw new Error(`${name} was called and the test has not replaced it`);
  };
}

// Members that the sources import and no unit test uses.
export const { CodeAction, CodeActionKind, CodeLens, CompletionItem, CompletionItemKind, CompletionItemTag } = unfaked;
export const { CompletionTriggerKind, ConfigurationTarget, DecorationRangeBehavior, Diagnostic, DiagnosticRelatedInformation } = unfaked;
export const { DocumentLink, DocumentSymbol, FilePermission, Hover, InlayHint, LanguageModelPromptTsxPart } = unfaked;
export const { LanguageModelToolCallPart, LanguageModelToolResultPart, LanguageStatusSeverity, Location, MarkdownString } = unfaked;
export const { OverviewRulerLane, Position, QuickInputButtons, Range, RelativePattern, Selection, SelectionRange, SnippetString } = unfaked;
export const { StatusBarAlignment, SymbolKind, TabInputCustom, TabInputTextDiff, TabInputWebview } = unfaked;
export const { TestMessage, TestRunProfileKind, tests, TextEdit, TextEditorRevealType, UIKind, ViewColumn, WorkspaceEdit } = unfaked;

export enum EndOfLine {
  LF = 1,
  CRLF = 2,
}

export enum DiagnosticSeverity {
  Error,
  Warning,
  Information,
  Hint,
}

const noEvent = () => new Disposable(() => undefined);

export class Disposable implements vscode.Disposable {
  private onDispose: (() => unknown) | undefined;

  constructor(onDispose: () => unknown) {
    this.onDispose = onDispose;
  }

  static from(...disposables: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const disposable of disposables) {
        disposable.dispose();
      }
    });
  }

  dispose(): void {
    this.onDispose?.();
    this.onDispose = undefined;
  }
}

export class EventEmitter<T> implements vscode.EventEmitter<T> {
  private readonly listeners = new Set<(value: T) => unknown>();
  private deliveries: (() => void)[] = [];
  private isDisposed = false;

  readonly event: vscode.Event<T> = (listener, thisArgs, disposables) => {
    const bound = (value: T) => listener.call(thisArgs, value);
    if (!this.isDisposed) {
      this.listeners.add(bound);
    }
    const disposable = new Disposable(() => this.listeners.delete(bound));
    disposables?.push(disposable);
    return disposable;
  };

  /** Calls the listeners in order. If a listener fires the event again, the remaining listeners get the current value first. */
  fire(value: T): void {
    this.deliver();
    this.deliveries = [...this.listeners].map(listener => () => this.listeners.has(listener) && call(listener, value));
    this.deliver();
  }

  dispose(): void {
    this.isDisposed = true;
    this.listeners.clear();
  }

  private deliver(): void {
    for (let next = this.deliveries.shift(); next !== undefined; next = this.deliveries.shift()) {
      next();
    }
  }
}

function call<T>(listener: (value: T) => unknown, value: T): void {
  try {
    listener(value);
  } catch (error) {
    console.error(error);
  }
}

export class CancellationError extends Error implements vscode.CancellationError {
  override readonly name = 'Canceled';

  constructor() {
    super('Canceled');
  }
}

export class CancellationTokenSource implements vscode.CancellationTokenSource {
  private readonly cancelled = new EventEmitter<undefined>();
  private isCancelled = false;
  readonly token: vscode.CancellationToken;

  constructor() {
    const isCancelled = () => this.isCancelled;
    this.token = {
      get isCancellationRequested() {
        return isCancelled();
      },
      onCancellationRequested: (listener, thisArgs, disposables) => {
        if (!this.isCancelled) {
          return this.cancelled.event(listener, thisArgs, disposables);
        }
        const late = setImmediate(() => listener.call(thisArgs, undefined));
        return new Disposable(() => clearImmediate(late));
      },
    };
  }

  cancel(): void {
    if (!this.isCancelled) {
      this.isCancelled = true;
      this.cancelled.fire(undefined);
    }
  }

  dispose(): void {
    this.cancelled.dispose();
  }
}

export class FileSystemError extends Error implements vscode.FileSystemError {
  static readonly FileNotFound = toFactory('FileNotFound', 'EntryNotFound');
  static readonly FileExists = toFactory('FileExists', 'EntryExists');
  static readonly FileNotADirectory = toFactory('FileNotADirectory', 'EntryNotADirectory');
  static readonly FileIsADirectory = toFactory('FileIsADirectory', 'EntryIsADirectory');
  static readonly NoPermissions = toFactory('NoPermissions', 'NoPermissions');
  static readonly Unavailable = toFactory('Unavailable', 'Unavailable');

  constructor(
    messageOrUri?: string | vscode.Uri,
    readonly code = 'Unknown',
    entry = 'Unknown',
  ) {
    super(typeof messageOrUri === 'string' ? messageOrUri : messageOrUri?.toString(true));
    this.name = `${entry} (FileSystemError)`;
  }
}

function toFactory(code: string, entry: string): (messageOrUri?: string | vscode.Uri) => FileSystemError {
  return messageOrUri => new FileSystemError(messageOrUri, code, entry);
}

export class TabInputText implements vscode.TabInputText {
  constructor(readonly uri: vscode.Uri) {}
}

export class ThemeColor implements vscode.ThemeColor {
  constructor(readonly id: string) {}
}

export class ThemeIcon implements vscode.ThemeIcon {
  static readonly File = new ThemeIcon('file');
  static readonly Folder = new ThemeIcon('folder');

  constructor(
    readonly id: string,
    readonly color?: vscode.ThemeColor,
  ) {}
}

export class TreeItem implements vscode.TreeItem {
  declare label?: string | vscode.TreeItemLabel;
  declare resourceUri?: vscode.Uri;
  collapsibleState: vscode.TreeItemCollapsibleState;

  constructor(labelOrUri: string | vscode.TreeItemLabel | vscode.Uri, collapsibleState: vscode.TreeItemCollapsibleState = 0) {
    this.collapsibleState = collapsibleState;
    if (labelOrUri instanceof Uri) {
      this.resourceUri = labelOrUri;
    } else {
      this.label = labelOrUri as string | vscode.TreeItemLabel;
    }
  }
}

export class DataTransferItem implements vscode.DataTransferItem {
  constructor(readonly value: unknown) {}

  async asString(): Promise<string> {
    return typeof this.value === 'string' ? this.value : JSON.stringify(this.value);
  }

  asFile(): undefined {
    return undefined;
  }
}

export class DataTransfer implements vscode.DataTransfer {
  private readonly items = new Map<string, vscode.DataTransferItem>();

  get(mimeType: string): vscode.DataTransferItem | undefined {
    return this.items.get(mimeType.toLowerCase());
  }

  set(mimeType: string, item: vscode.DataTransferItem): void {
    this.items.set(mimeType.toLowerCase(), item);
  }

  forEach(act: (item: vscode.DataTransferItem, mimeType: string, data: DataTransfer) => void): void {
    for (const [mimeType, item] of this.items) {
      act(item, mimeType, this);
    }
  }

  [Symbol.iterator](): IterableIterator<[mimeType: string, item: vscode.DataTransferItem]> {
    return this.items[Symbol.iterator]();
  }
}

export class LanguageModelTextPart implements vscode.LanguageModelTextPart {
  constructor(public value: string) {}
}

export class LanguageModelError extends Error implements vscode.LanguageModelError {
  static readonly NotFound = (message?: string) => Object.assign(new LanguageModelError(message), { code: 'NotFound' });
  static readonly NoPermissions = (message?: string) => Object.assign(new LanguageModelError(message), { code: 'NoPermissions' });
  static readonly Blocked = (message?: string) => Object.assign(new LanguageModelError(message), { code: 'Blocked' });

  override readonly name = 'LanguageModelError';
  readonly code: string = '';
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const;
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 } as const;
export const DiagnosticTag = { Unnecessary: 1, Deprecated: 2 } as const;
export const CodeActionTriggerKind = { Invoke: 1, Automatic: 2 } as const;
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const LanguageModelChatMessageRole = { User: 1, Assistant: 2 } as const;
export const LanguageModelChatToolMode = { Auto: 1, Required: 2 } as const;

export let version = '1.139.1';

export function setVersion(other: string): void {
  version = other;
}

/** Values of our settings, keyed by their full names. A test starts with the defaults. */
export const settings: Record<string, unknown> = Object.fromEntries(
  Object.entries<{ readonly default?: unknown }>(manifest.contributes.configuration.properties).map(([name, { default: value }]) => [
    name,
    value,
  ]),
);

function readSetting(name: string): unknown {
  return name in settings ? settings[name] : refuse(`The setting ${name}`);
}

export const l10n = fake<typeof vscode.l10n>('l10n', {
  bundle: undefined,
  t: (...[given, ...args]: unknown[]) => {
    const { message, args: values } = typeof given === 'string' ? { message: given, args } : (given as { message: string; args?: unknown });
    const [first] = args;
    const named = (typeof first === 'object' ? first : values) as Readonly<Record<string, unknown>> | undefined;
    return message.replace(/\{([^}]+)\}/g, (place, name: string) => String(named?.[name] ?? place));
  },
});

export const commands = fake<typeof vscode.commands>('commands', {
  executeCommand: unanswered('commands.executeCommand'),
  registerCommand: noEvent,
});

let clipboard = '';

export const env = fake<typeof vscode.env>('env', {
  language: 'en',
  uriScheme: 'vscode',
  clipboard: {
    readText: async () => clipboard,
    writeText: async text => {
      clipboard = text;
    },
  },
});

export const window = fake<typeof vscode.window>('window', {
  showInformationMessage: unanswered('window.showInformationMessage'),
  showWarningMessage: unanswered('window.showWarningMessage'),
  showErrorMessage: unanswered('window.showErrorMessage'),
  showQuickPick: unanswered('window.showQuickPick'),
  showInputBox: unanswered('window.showInputBox'),
  createQuickPick: unanswered('window.createQuickPick'),
  createInputBox: unanswered('window.createInputBox'),
  setStatusBarMessage: noEvent,
  withProgress: async (_, task) => await task({ report: () => undefined }, new CancellationTokenSource().token),
  tabGroups: fake<vscode.TabGroups>('window.tabGroups', { all: [], onDidChangeTabs: noEvent, onDidChangeTabGroups: noEvent }),
});

export const workspace = fake<typeof vscode.workspace>('workspace', {
  isTrusted: true,
  workspaceFolders: undefined,
  fs: fake<vscode.FileSystem>('workspace.fs', {}),
  textDocuments: [],
  getConfiguration: section => {
    const settingOf = (name: string) => readSetting([...(section ? [section] : []), name].join('.'));
    return { get: settingOf, inspect: name => ({ key: name, globalValue: settingOf(name) }) } as vscode.WorkspaceConfiguration;
  },
  onDidChangeConfiguration: noEvent,
  onDidGrantWorkspaceTrust: noEvent,
  onDidOpenTextDocument: noEvent,
  onDidCloseTextDocument: noEvent,
  onDidChangeTextDocument: noEvent,
  onDidSaveTextDocument: noEvent,
  registerTextDocumentContentProvider: noEvent,
});

export const lm = fake<typeof vscode.lm>('lm', {});

export const languages = fake<typeof vscode.languages>('languages', {
  createDiagnosticCollection: () => fake<vscode.DiagnosticCollection>('diagnostics', { set: () => undefined, dispose: () => undefined }),
  registerDocumentLinkProvider: noEvent,
});
