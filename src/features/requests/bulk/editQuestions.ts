import * as vscode from 'vscode';
import { askChoice, askText, type Choice, runQuestions, separator } from '../../../common/asking/askSteps';
import { askFiles } from '../../../common/asking/newFile';
import type { EditChoice, EditReport, EditScope, FieldEdit } from '../../../jsonl/fixes/edits/fieldEdit';
import { toFieldPath } from '../../../jsonl/fixes/idRewriter';
import { toLabel } from '../../../shared/text';
import { count } from '../fileWork';
import { toEditWords, toJsonValue, toTool } from './editPresentation';

type Field = 'ids' | 'model' | 'max_tokens' | 'system' | 'temperature' | 'put_tool' | 'remove_tool' | 'other' | 'remove';
type ScopeChoice = EditScope | 'id';
type Ask = (canGoBack: boolean) => Promise<void>;

interface EditedFile {
  readonly name: string;
  readonly requests: number;
  readonly report: EditReport;
  /** Requests without a good result in the shown results. `undefined` if no results are shown. */
  readonly failed: (EditScope & { readonly by: 'lines' | 'ids' }) | undefined;
  readonly models: readonly Choice<string>[];
}

const largestFile = 4 * 1024 * 1024;

/** Asks for the change and the requests to change. The last step calls `confirm`, or creates ids. */
export class EditQuestions {
  private field: Field = 'model';
  private edit: FieldEdit | undefined;
  private scope: ScopeChoice = { by: 'all' };
  private part = '';
  private path = '';
  private readonly title = vscode.l10n.t('Edit All Requests');

  constructor(
    private readonly file: EditedFile,
    private readonly acts: {
      makeIds(): Promise<void>;
      confirm(choice: EditChoice & { readonly edit: FieldEdit }, canGoBack: boolean): Promise<void>;
    },
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
      return [this.askField, ...(field === 'ids' ? [() => this.acts.makeIds()] : ofEdit)];
    });
  }

  private readonly askField: Ask = async canGoBack => {
    const { t } = vscode.l10n;
    const choices: readonly Choice<Field>[] = [
      { label: t('Model'), description: 'model', value: 'model' },
      { label: t('Max Output Tokens'), description: 'max_tokens', value: 'max_tokens' },
      { label: t('System prompt'), description: 'system', value: 'system' },
      { label: t('Temperature'), description: 'temperature', value: 'temperature' },
      { label: t('Add or Replace a Tool'), description: 'tools', value: 'put_tool' },
      { label: t('Remove a Tool'), description: 'tools', value: 'remove_tool' },
      { label: t('Generate Custom IDs'), description: 'custom_id', value: 'ids' },
      separator(t('Any field')),
      { label: t('Set Another Field...'), value: 'other' },
      { label: t('Remove a Field...'), value: 'remove' },
    ];
    this.field = await this.choose(t('Select an action for {0}', this.file.name), choices, canGoBack, this.field);
  };

  private readonly askPath: Ask = async canGoBack => {
    const prompt = vscode.l10n.t('Field, such as top_p or metadata.user_id');
    const problemOf = (text: string) => (typeof toFieldPath(text.trim())[0] === 'string' ? undefined : prompt);
    this.path = await this.askText(prompt, canGoBack, problemOf, this.path);
    this.edit = { kind: 'remove', path: toFieldPath(this.path.trim()) };
  };

  private readonly askValue: Ask = async canGoBack => {
    this.edit = await this.editOf(this.field, canGoBack);
  };

  private readonly askScope: Ask = async canGoBack => {
    const { t } = vscode.l10n;
    const placeholder = this.edit === undefined ? '' : `${toEditWords(this.edit, t)}: ${t('select the requests')}`;
    this.scope = await this.choose(placeholder, this.scopes(), canGoBack);
  };

  private readonly askIdPart: Ask = async canGoBack => {
    this.part = await this.askText(vscode.l10n.t('Part of the custom_id'), canGoBack, () => undefined, this.part);
  };

  private readonly confirm: Ask = async canGoBack => {
    const { edit, scope, part } = this;
    if (edit !== undefined) {
      await this.acts.confirm({ edit, scope: scope === 'id' ? { by: 'id', part } : scope }, canGoBack);
    }
  };

  private async editOf(field: Field, canGoBack: boolean): Promise<FieldEdit> {
    const { t } = vscode.l10n;
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
    const { t } = vscode.l10n;
    const { models, report } = this.file;
    const listed = new Set(models.map(({ value }) => value));
    const used = report.models.filter(([model]) => !listed.has(model)).map(([model]) => ({ label: toLabel(model, 100), value: model }));
    const choices = [...models, ...used, { label: t('Another Model...'), value: '' }];
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
    const validate = (text: string) => (text.trim() === '' ? vscode.l10n.t('Enter some text') : problemOf(text));
    return askText({ title: this.title, prompt, value, validate, canGoBack });
  }

  /** Asks for text of several lines, which an input box doesn't support. */
  private async askLongText(prompt: string, problemOf: (text: string) => string | undefined, canGoBack: boolean): Promise<string> {
    const { t } = vscode.l10n;
    const choices: readonly Choice<'typed' | 'clipboard' | 'file'>[] = [
      { label: `$(edit) ${t('Type Text')}`, value: 'typed' },
      { label: `$(clippy) ${t('Paste from Clipboard')}`, value: 'clipboard' },
      { label: `$(file) ${t('Read It from a File...')}`, value: 'file' },
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
    const { t } = vscode.l10n;
    const { requests, failed, report } = this.file;
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
  const [uri] = await askFiles({ title, openLabel: vscode.l10n.t('Use This Text') });
  if ((await vscode.workspace.fs.stat(uri)).size > largestFile) {
    throw new Error(vscode.l10n.t('The file is larger than 4 MB.'));
  }
  return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
}
