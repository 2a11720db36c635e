import * as vscode from 'vscode';
import { askChoice, askText, type Choice, runQuestions, separator } from '../../../common/asking/askSteps';
import { chooseFile } from '../../../common/asking/chooseFile';
import { askFiles } from '../../../common/asking/newFile';
import { showInformation } from '../../../common/asking/notifications';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import type { EditChoice, EditReport, EditScope, FieldEdit } from '../../../jsonl/fixes/edits/fieldEdit';
import { type IdChoice, type IdScheme, previewIds, toFieldPath } from '../../../jsonl/fixes/idRewriter';
import type { RewriteSummary } from '../../../jsonl/fixes/lineRewriter';
import { toLabel } from '../../../shared/text';
import { count, type EditingDependencies, modelChoices } from '../fileWork';
import { outputsOf, RewriteTarget } from '../fixes/rewriteTarget';
import { toEditWords, toJsonValue, toLeftSentences, toPreviewTexts, toTool } from './editPresentation';

const { t } = vscode.l10n;

/**
 * Asks for one change and applies it to all requests of a file, or to the requests with a certain model, problem, id or failure. Shows a
 * preview first. An open document changes in one undo step. Any other file is rewritten with a backup, or the result is written to a new
 * file.
 */
export async function editAllRequests(deps: EditingDependencies, file: vscode.Uri | undefined): Promise<void> {
  const uri = await chooseFile(file, { question: t('Select a request file'), openLabel: t('Edit') });
  const target = await RewriteTarget.of(deps, uri);
  const { summary } = await target.prepare({ type: 'edit', choice: { scope: { by: 'all' } } });
  if (summary.requests === 0 || summary.edited === undefined) {
    void showInformation(t('{0} has no requests.', target.name));
    return;
  }
  await new EditQuestions(deps, target, summary.requests, summary.edited, await deps.answers.failingScope(uri)).ask();
}

/** Shows the changes, asks for confirmation, and applies exactly these changes. Applies nothing if the file has changed meanwhile. */
async function confirm(target: RewriteTarget, choice: EditChoice & { readonly edit: FieldEdit }, canGoBack: boolean): Promise<void> {
  const prepared = await target.prepare({ type: 'edit', choice });
  const { changedLines: changed, edited } = prepared.summary;
  const left = toLeftSentences(edited?.left ?? [], t, vscode.env.language);
  if (changed === 0) {
    void showInformation([t('No requests need changes.'), ...left].join(' '));
    return;
  }
  const title = toEditWords(choice.edit, t);
  const sentences = [t('Requests changed: {0}.', count(changed)), ...left];
  const texts = toPreviewTexts([title, ...sentences], edited?.examples ?? [], changed, t, vscode.env.language);
  const label = changed === 1 ? t('Edit 1 Request') : t('Edit {0} Requests', count(changed));
  const output = await withPreview(`${target.name}: ${title}`, texts, () =>
    askChoice({ title, placeholder: sentences.join(' '), choices: outputsOf(prepared, label), canGoBack }),
  );
  const done = await prepared.apply(output);
  target.showDone(t('Requests changed: {0}.', count(changed)), done);
}

/** Shows the first changes in a diff editor while `ask` waits for the user. */
async function withPreview<T>(
  title: string,
  { before, after }: { readonly before: string; readonly after: string },
  ask: () => Promise<T>,
): Promise<T> {
  const documents = new ReadonlyDocuments('managed-agents-edit');
  const shown = vscode.window.activeTextEditor;
  const [left, right] = [documents.create('before.txt', before), documents.create('after.txt', after)];
  try {
    // A preview editor would replace the preview tab of the file.
    const options: vscode.TextDocumentShowOptions = { preview: false, preserveFocus: true };
    await vscode.commands.executeCommand('vscode.diff', left, right, title, options);
    return await ask();
  } finally {
    const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
    await vscode.window.tabGroups.close(
      tabs.filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === right.toString()),
    );
    documents.dispose();
    if (shown !== undefined && !shown.document.isClosed) {
      // Focuses the document, so that Undo works immediately.
      await vscode.window.showTextDocument(shown.document, { viewColumn: shown.viewColumn, selection: shown.selection });
    }
  }
}

type Field = 'ids' | 'model' | 'max_tokens' | 'system' | 'temperature' | 'put_tool' | 'remove_tool' | 'other' | 'remove';
type ScopeChoice = EditScope | 'id';
type Ask = (canGoBack: boolean) => Promise<void>;
type FailedScope = Awaited<ReturnType<EditingDependencies['answers']['failingScope']>>;

const largestFile = 4 * 1024 * 1024;

/** Asks for the change and the requests to change. The last step confirms and applies the change, or creates ids. */
class EditQuestions {
  private field: Field = 'model';
  private edit: FieldEdit | undefined;
  private scope: ScopeChoice = { by: 'all' };
  private part = '';
  private path = '';
  private readonly title = t('Edit All Requests');

  /** `failed` are the requests without a good result in the shown results. `undefined` if no results are shown. */
  constructor(
    private readonly deps: EditingDependencies,
    private readonly target: RewriteTarget,
    private readonly requests: number,
    private readonly report: EditReport,
    private readonly failed: FailedScope,
  ) {}

  async ask(): Promise<void> {
    await runQuestions(() => {
      const { field, scope } = this;
      const ofEdit: readonly Ask[] = [
        ...(field === 'other' || field === 'remove' ? [this.askPath] : []),
        ...(field === 'remove' ? [] : [this.askValue]),
        this.askScope,
        ...(scope === 'id' ? [this.askIdPart] : []),
        this.confirm,
      ];
      return [this.askField, ...(field === 'ids' ? [() => makeIds(this.target)] : ofEdit)];
    });
  }

  private readonly askField: Ask = async canGoBack => {
    const choices: readonly Choice<Field>[] = [
      { label: t('Model'), description: 'model', value: 'model' },
      { label: t('Max Output Tokens'), description: 'max_tokens', value: 'max_tokens' },
      { label: t('System prompt'), description: 'system', value: 'system' },
      { label: t('Temperature'), description: 'temperature', value: 'temperature' },
      { label: t('Add or Replace Tool'), description: 'tools', value: 'put_tool' },
      { label: t('Remove Tool'), description: 'tools', value: 'remove_tool' },
      { label: t('Generate Custom IDs'), description: 'custom_id', value: 'ids' },
      separator(t('Any field')),
      { label: t('Set Another Field...'), value: 'other' },
      { label: t('Remove Field...'), value: 'remove' },
    ];
    this.field = await this.choose(t('Select an action for {0}', this.target.name), choices, canGoBack, this.field);
  };

  private readonly askPath: Ask = async canGoBack => {
    const prompt = t('Field, such as top_p or metadata.user_id');
    const problemOf = (text: string) => (typeof toFieldPath(text.trim())[0] === 'string' ? undefined : prompt);
    this.path = await this.askText(prompt, canGoBack, problemOf, this.path);
    this.edit = { kind: 'remove', path: toFieldPath(this.path.trim()) };
  };

  private readonly askValue: Ask = async canGoBack => {
    this.edit = await this.editOf(this.field, canGoBack);
  };

  private readonly askScope: Ask = async canGoBack => {
    const placeholder = this.edit === undefined ? '' : `${toEditWords(this.edit, t)}: ${t('select the requests')}`;
    this.scope = await this.choose(placeholder, this.scopes(), canGoBack);
  };

  private readonly askIdPart: Ask = async canGoBack => {
    this.part = await this.askText(t('Part of the custom_id'), canGoBack, () => undefined, this.part);
  };

  private readonly confirm: Ask = async canGoBack => {
    const { edit, scope, part, target } = this;
    if (edit === undefined) {
      return;
    }
    // The file may have been edited meanwhile, so the failed requests are looked up again.
    const current = scope === this.failed ? await this.deps.answers.failingScope(target.uri) : scope;
    if (current === undefined) {
      throw new Error(t('The file has changed in the meantime. Try again.'));
    }
    await confirm(target, { edit, scope: current === 'id' ? { by: 'id', part } : current }, canGoBack);
  };

  private async editOf(field: Field, canGoBack: boolean): Promise<FieldEdit> {
    const setNumber = async (name: string, prompt: string, value: string, form: RegExp): Promise<FieldEdit> => {
      const problemOf = (text: string) =>
        form.test(text.trim()) ? undefined : t('This value isn\'t allowed for "{0}".', toLabel(text, 40));
      return { kind: 'set', path: [name], value: (await this.askText(prompt, canGoBack, problemOf, value)).trim() };
    };
    switch (field) {
      case 'model':
        return { kind: 'set', path: ['model'], value: JSON.stringify(await this.askModel(canGoBack)) };
      case 'max_tokens':
        return setNumber('max_tokens', t('Maximum output tokens'), '1024', /^[1-9]\d*$/);
      case 'temperature':
        return setNumber('temperature', t('A number from 0 to 1'), '1', /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/);
      case 'system':
        return { kind: 'set_system', value: JSON.stringify(await this.askLongText(t('System prompt'), () => undefined, canGoBack)) };
      case 'put_tool': {
        const problemOf = (text: string) => {
          const tool = toTool(text, t);
          return typeof tool === 'string' ? tool : undefined;
        };
        const tool = toTool(await this.askLongText(t('Tool as JSON, with a name'), problemOf, canGoBack), t);
        if (typeof tool === 'string') {
          throw new Error(tool);
        }
        return { kind: 'put_tool', ...tool };
      }
      case 'remove_tool':
        return { kind: 'remove_tool', name: (await this.askText(t('Tool name'), canGoBack)).trim() };
      default: {
        const value = (await this.askText(t('Value as JSON or text'), canGoBack)).trim();
        return { kind: 'set', path: toFieldPath(this.path.trim()), value: toJsonValue(value) };
      }
    }
  }

  private async askModel(canGoBack: boolean): Promise<string> {
    const { report } = this;
    const models = modelChoices(this.deps.rules.models());
    const listed = new Set(models.map(({ value }) => value));
    const used = report.models.filter(([model]) => !listed.has(model)).map(([model]) => ({ label: toLabel(model, 100), value: model }));
    const choices = [...models, ...used, { label: t('Enter Model ID...'), value: '' }];
    const chosen = await this.choose(t('Select a model'), choices, canGoBack);
    return chosen === '' ? (await this.askText(t('Model ID'), false)).trim() : chosen;
  }

  private choose<T>(placeholder: string, choices: readonly Choice<T>[], canGoBack: boolean, active?: T): Promise<T> {
    return askChoice({ title: this.title, placeholder, choices, canGoBack, ...(active !== undefined && { active }) });
  }

  /** Asks for text that is not blank and for which `problemOf` returns no problem. */
  private askText(
    prompt: string,
    canGoBack: boolean,
    problemOf: (text: string) => string | undefined = () => undefined,
    value = '',
  ): Promise<string> {
    const validate = (text: string) => (text.trim() === '' ? t('Enter some text') : problemOf(text));
    return askText({ title: this.title, prompt, value, validate, canGoBack });
  }

  /** Asks for text of several lines, which an input box doesn't support. */
  private async askLongText(prompt: string, problemOf: (text: string) => string | undefined, canGoBack: boolean): Promise<string> {
    const choices: readonly Choice<'typed' | 'clipboard' | 'file'>[] = [
      { label: `$(edit) ${t('Type Text')}`, value: 'typed' },
      { label: `$(clippy) ${t('Paste from Clipboard')}`, value: 'clipboard' },
      { label: `$(file) ${t('Read from File...')}`, value: 'file' },
    ];
    const from = await this.choose(prompt, choices, canGoBack);
    if (from === 'typed') {
      return await this.askText(prompt, false, problemOf);
    }
    const text = from === 'clipboard' ? await vscode.env.clipboard.readText() : await readChosenFile(this.title);
    const problem = text.trim() === '' ? t('Enter some text') : problemOf(text);
    if (problem !== undefined) {
      throw new Error(problem);
    }
    return text;
  }

  private scopes(): readonly Choice<ScopeChoice>[] {
    const { requests, failed, report } = this;
    const failures = failed === undefined ? 0 : failed.by === 'lines' ? failed.lines.size : failed.ids.size;
    const ofFailed = { label: t('Failed Requests'), description: count(failures), detail: t('Failed, refused or cut short') };
    const ofModels = report.models.map(([model, uses]): Choice<ScopeChoice> => {
      return { label: toLabel(model, 100), description: count(uses), value: { by: 'model', model } };
    });
    const problems = [[undefined, report.troubled] as const, ...report.rules];
    const ofProblems = problems.map(([rule, uses]): Choice<ScopeChoice> => {
      return { label: rule ?? t('Any Problem'), description: count(uses), value: { by: 'problem', rule } };
    });
    return [
      { label: t('All Requests'), description: count(requests), value: { by: 'all' } },
      ...(failed === undefined || failures === 0 ? [] : [{ ...ofFailed, value: failed }]),
      { label: t('Requests Whose ID Contains...'), value: 'id' },
      ...(ofModels.length > 1 ? [separator(t('Model')), ...ofModels] : []),
      ...(report.troubled > 0 ? [separator(t('Problem')), ...ofProblems] : []),
    ];
  }
}

async function readChosenFile(title: string): Promise<string> {
  const [uri] = await askFiles({ title, openLabel: t('Use This Text') });
  if ((await vscode.workspace.fs.stat(uri)).size > largestFile) {
    throw new Error(t('The file is larger than {0}.', '4 MB'));
  }
  return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
}

type SchemeType = 'padded' | 'number' | 'hash' | 'field';

/** Asks how to create ids, and sets them in the requests of a file. All ids of the file are then unique, including existing ids. */
async function makeIds(target: RewriteTarget): Promise<void> {
  const numbered: IdChoice = { scheme: { type: 'number', prefix: 'request-', digits: 0 }, scope: 'missing' };
  const { summary } = await target.prepare({ type: 'ids', choice: numbered });
  const choice = await askIds(summary, await target.firstLines());
  const prepared = await target.prepare({ type: 'ids', choice });
  const { changedLines } = prepared.summary;
  const done = await prepared.apply(await target.askOutput(prepared, t('Generate IDs')));
  target.showDone(t('IDs generated: {0}.', count(changedLines)), done);
}

async function askIds({ requests, withoutId }: RewriteSummary, lines: readonly string[]): Promise<IdChoice> {
  const title = t('Generate Custom IDs');
  let scope: IdChoice['scope'] = withoutId > 0 ? 'missing' : 'all';
  let type: SchemeType = 'padded';
  let prefix = 'request-';
  let field = 'metadata.user_id';
  const schemeOf = (wanted: SchemeType): IdScheme => {
    if (wanted === 'hash' || wanted === 'field') {
      return wanted === 'hash' ? { type: 'hash' } : { type: 'field', path: toFieldPath(field) };
    }
    return { type: 'number', prefix, digits: wanted === 'padded' ? String(requests).length : 0 };
  };
  const askScope = async (canGoBack: boolean) => {
    const description = t('{0} of {1}', count(withoutId), count(requests));
    scope = await askChoice<IdChoice['scope']>({
      title,
      placeholder: t('Select requests'),
      choices: [
        { label: t('Requests without an ID'), description, value: 'missing' },
        { label: t('All Requests'), description: count(requests), detail: t('Replaces existing IDs'), value: 'all' },
      ],
      active: scope,
      canGoBack,
    });
  };
  const choiceOf = (value: SchemeType, label: string) => {
    const ids = previewIds(lines, { scheme: schemeOf(value), scope }, 3);
    return { label, description: ids.length === 0 ? '' : toLabel(`${ids.join(', ')}${ids.length === 3 ? ', …' : ''}`, 120), value };
  };
  const askScheme = async (canGoBack: boolean) => {
    type = await askChoice<SchemeType>({
      title,
      placeholder: t('Select the ID format'),
      choices: [
        choiceOf('padded', t('Text and padded number')),
        choiceOf('number', t('Text and number')),
        choiceOf('hash', t('Hash of the params')),
        choiceOf('field', t('Field in params')),
      ],
      active: type,
      canGoBack,
    });
  };
  const askPrefix = async (canGoBack: boolean) => {
    const validate = (text: string) => (/^[a-zA-Z0-9_-]{0,40}$/.test(text) ? undefined : t('Use up to 40 letters or digits.'));
    prefix = await askText({ title, prompt: t('Prefix of the IDs'), value: prefix, validate, canGoBack });
  };
  const askField = async (canGoBack: boolean) => {
    const prompt = t('Field, such as top_p or metadata.user_id');
    const validate = (text: string) => (toFieldPath(text).length > 0 ? undefined : prompt);
    field = await askText({ title, prompt, value: field, validate, canGoBack });
  };
  await runQuestions(() => [
    ...(withoutId > 0 ? [askScope] : []),
    askScheme,
    ...(type === 'hash' ? [] : [type === 'field' ? askField : askPrefix]),
  ]);
  return { scheme: schemeOf(type), scope };
}
