import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { toLabel } from '../../shared/text';
import { fileNameOf } from '../files/fileNameOf';
import { withoutIcons } from '../text/withoutIcons';
import { activeUri } from './activeUri';
import { askChoice, type Choice } from './askSteps';
import { askFiles } from './newFile';

/** Question of a command that needs a file but was called without a file. */
export interface FileQuestion {
  readonly question: string;
  /** Label of the button in the dialog that opens any file. */
  readonly openLabel: string;
  /** Extensions without dots, in lower case. Defaults to `jsonl` and `ndjson`. */
  readonly extensions?: readonly string[];
  /** Returns whether a file with a matching extension is offered. */
  readonly fits?: (uri: vscode.Uri) => boolean;
  /** Additional choice before the files. */
  readonly first?: { readonly label: string; readonly uri: vscode.Uri } | undefined;
  /** Returns whether the matching file of the active tab is used without asking. True by default. */
  readonly isMeant?: (uri: vscode.Uri) => Promise<boolean>;
}

const requestFiles = ['jsonl', 'ndjson'];
const maxFiles = 500;

/**
 * Returns the file that a command applies to. This is the given file, or the file of the active tab if the file matches. The tab can be a
 * custom editor, or show a file that is too large for extensions. Without such a file, the user chooses a workspace file, types a path, or
 * picks any file. Throws a `CancelledError` if the user chooses nothing.
 */
export async function chooseFile(given: vscode.Uri | undefined, question: FileQuestion): Promise<vscode.Uri> {
  if (given !== undefined) {
    return given;
  }
  const active = activeUri();
  if (active !== undefined && (fits(active, question) || isJsonLines(active, question))) {
    if ((await question.isMeant?.(active)) !== false) {
      return active;
    }
  }
  return await pickFile(question);
}

async function pickFile(question: FileQuestion): Promise<vscode.Uri> {
  const extensions = question.extensions ?? requestFiles;
  const found = await vscode.workspace.findFiles(`**/*.{${extensions.join(',')}}`, '**/{node_modules,.managed-agents}/**', maxFiles);
  const files = found
    .filter(uri => fits(uri, question))
    .sort((a, b) => a.path.localeCompare(b.path))
    .map((uri): Choice<vscode.Uri> => {
      const folder = path.posix.dirname(vscode.workspace.asRelativePath(uri));
      return { label: fileNameOf(uri), ...(folder !== '.' && { description: folder }), value: uri };
    });
  const listed = question.first === undefined ? files : [{ label: question.first.label, value: question.first.uri }, ...files];
  const other = { label: `$(folder-opened) ${vscode.l10n.t('Browse...')}`, alwaysShow: true, value: 'browse' } as const;
  const choice =
    listed.length === 0
      ? 'browse'
      : await askChoice<vscode.Uri | 'browse'>({
          title: question.openLabel,
          placeholder: question.question,
          choices: [...listed, other],
          typed: text => {
            const file = typedPath(text, os.homedir(), vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
            return file === undefined
              ? undefined
              : { label: `$(go-to-file) ${withoutIcons(toLabel(file, 200))}`, value: vscode.Uri.file(file) };
          },
        });
  return choice === 'browse' ? await browse(question, extensions) : choice;
}

/** Returns the path in a text: absolute, or relative to `home` (`~`) or to the open folder. Returns `undefined` for any other text. */
export function typedPath(text: string, home: string, folder: string | undefined): string | undefined {
  if (/^~[/\\]./.test(text)) {
    return path.join(home, text.slice(2));
  }
  if (/^\.{1,2}[/\\]./.test(text) && folder !== undefined) {
    return path.resolve(folder, text);
  }
  return path.isAbsolute(text) && text.length > 1 ? path.normalize(text) : undefined;
}

async function browse({ question, openLabel }: FileQuestion, extensions: readonly string[]): Promise<vscode.Uri> {
  const name = extensions === requestFiles ? vscode.l10n.t('JSON Lines') : vscode.l10n.t('Supported Files');
  return (await askFiles({ title: question, openLabel, filters: { [name]: [...extensions] } }))[0];
}

function fits(uri: vscode.Uri, { extensions = requestFiles, fits }: FileQuestion): boolean {
  const ending = path.posix.extname(uri.path).slice(1).toLowerCase();
  return (uri.scheme === 'file' || uri.scheme === 'untitled') && extensions.includes(ending) && fits?.(uri) !== false;
}

/** Returns whether the active document is JSON Lines by its language, for untitled documents and files with other extensions. */
function isJsonLines(uri: vscode.Uri, { fits }: FileQuestion): boolean {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'jsonl' && document.uri.toString() === uri.toString() && fits?.(uri) !== false;
}
