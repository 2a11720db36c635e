import * as vscode from 'vscode';
import { askChoice, askText, type Choice, runQuestions, separator } from '../../../common/asking/askSteps';
import { askFiles } from '../../../common/asking/newFile';
import type { EditChoice, EditReport, EditScope, FieldEdit } from '../../../jsonl/fixes/edits/fieldEdit';
import { toFieldPath } from '../../../jsonl/fixes/idRewriter';
import { toLabel } from '../../../shared/text';
import { toNumber } from '../../../shared/formats';
import { toEditWords, toJsonValue, toTool } from './editPresentation';

type Field = 'ids' | 'model' | 'max_tokens' | 'system' | 'temperature' | 'put_tool' | 'remove_tool' | 'other' | 'remove';
type ScopeChoice = EditScope | 'id';

/** Facts about the file to edit. */
export interface EditedFile {
  readonly name: string;
  readonly requests: number;
  readonly report: EditReport;
  /** Requests without a good result among the shown results. `undefined` without results. */
  readonly failed: (EditScope & { readonly by: 'lines' | 'ids' }) | undefined;
  readonly models: readonly Choice<string>[];
}

const largestFile = 4 * 1024 * 1024;

/** Asks for the change and its requests. The last step calls `confirm`, or creates ids. */
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
    await runQuestions(() => [
      canGoBack => this.askField(canGoBack),
      ...(this.field === 'ids' ? [() => this.acts.makeIds()] : this.questionsOfEdit()),
    ]);
  }

  private questionsOfEdit(): readonly ((canGoBack: boolean) => Promise<void>)[] {
    const { field, scope } = this;
    return [
      ...(field === 'other' || field === 'remove' ? [(canGoBack: boolean) => this.askPath(canGoBack)] : []),
      ...(field === 'remove' ? [] : [(canGoBack: boolean) => this.askValue(canGoBack)]),
      canGoBack => this.askScope(canGoBack),
      ...(scope === 'id' ? [(canGoBack: boolean) => this.askIdPart(canGoBack)] : []),
      async canGoBack => {
        if (this.edit !== undefined) {
          await this.acts.confirm({ edit: this.edit, scope: scope === 'id' ? { by: 'id', part: this.part } : scope }, canGoBack);
        }
      },
    ];
  }

  private async askField(canGoBack: boolean): Promise<void> {
    const { t } = vscode.l10n;
    const choices: readonly Choice<Field>[] = [
      { label: t('Model'), description: 'model', value: 'model' },
      { label: t('Max Output Tokens'), description: 'max_tokens', value: 'max_tokens' },
      { label: t('System prompt'), description: 'system', value: 'system' },
      { label: t('Temperature'), description: 'temperature', value: 'temperature' },
      { label: t('Add or Replace a Tool'), description: 'tools', value: 'put_tool' },
      { label: t('Remove a Tool'), description: 'tools', value: 'remove_tool' },
      { label: t('Make Custom IDs'), description: 'custom_id', value: 'ids' },
      separator(t('Any field')),
      { label: t('Set Another Field...'), value: 'other' },
      { label: t('Remove a Field...'), value: 'remove' },
    ];
    const placeholder = t('Select an action for {0}', this.file.name);
    this.field = await askChoice({ title: this.title, placeholder, choices, active: this.field, canGoBack });
  }

  private async askPath(canGoBack: boolean): Promise<void> {
    const prompt = vscode.l10n.t('Field, such as top_p or metadata.user_id');
    const validate = (text: string) => (typeof toFieldPath(text.trim())[0] === 'string' ? undefined : prompt);
    this.path = await askText({ title: this.title, prompt, value: this.path, validate, canGoBack });
    this.edit = { kind: 'remove', path: toFieldPath(this.path.trim()) };
  }

  private async askValue(canGoBack: boolean): Promise<void> {
    this.edit = await this.editOf(this.field, canGoBack);
  }

  private async editOf(field: Field, canGoBack: boolean): Promise<FieldEdit> {
    const { t } = vscode.l10n;
    const setNumber = async (name: string, prompt: string, value: string, form: RegExp): Promise<FieldEdit> => {
      return { kind: 'set', path: [name], value: await this.askNumber(prompt, value, form, canGoBack) };
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
        return { kind: 'remove_tool', name: await this.askWord(t('Tool name'), canGoBack) };
      default: {
        const value = await this.askWord(t('Value as JSON or text'), canGoBack);
        return { kind: 'set', path: toFieldPath(this.path.trim()), value: toJsonValue(value) };
      }
    }
  }

  private async askModel(canGoBack: boolean): Promise<string> {
    const { t } = vscode.l10n;
    const { models, report } = this.file;
    const listed = new Set(models.map(({ value }) => value));
    const used = report.models.filter(([model]) => !listed.has(model)).map(([model]) => ({ label: toLabel(model, 100), value: model }));
    const another = { label: t('Another Model...'), value: '' };
    const chosen = await askChoice({
      title: this.title,
      placeholder: t('Select a model'),
      choices: [...models, ...used, another],
      canGoBack,
    });
    return chosen === '' ? await this.askWord(t('Model ID'), false) : chosen;
  }

  private async askNumber(prompt: string, value: string, form: RegExp, canGoBack: boolean): Promise<string> {
    const number = await askText({
      title: this.title,
      prompt,
      value,
      validate: text => (form.test(text.trim()) ? undefined : vscode.l10n.t('This value isn\'t allowed for "{0}".', toLabel(text, 40))),
      canGoBack,
    });
    return number.trim();
  }

  private async askWord(prompt: string, canGoBack: boolean): Promise<string> {
    const validate = (text: string) => (text.trim() === '' ? vscode.l10n.t('Enter some text') : undefined);
    return (await askText({ title: this.title, prompt, validate, canGoBack })).trim();
  }

  /** Asks for a text of several lines, which an input box doesn't support. */
  private async askLongText(prompt: string, problemOf: (text: string) => string | undefined, canGoBack: boolean): Promise<string> {
    const { t } = vscode.l10n;
    const from = await askChoice<'typed' | 'clipboard' | 'file'>({
      title: this.title,
      placeholder: prompt,
      choices: [
        { label: `$(edit) ${t('Type It')}`, value: 'typed' },
        { label: `$(clippy) ${t('Paste from Clipboard')}`, value: 'clipboard' },
        { label: `$(file) ${t('Read It from a File...')}`, value: 'file' },
      ],
      canGoBack,
    });
    if (from === 'typed') {
      const validate = (text: string) => (text.trim() === '' ? t('Enter some text') : problemOf(text));
      return await askText({ title: this.title, prompt, validate });
    }
    const text = from === 'clipboard' ? await vscode.env.clipboard.readText() : await readChosenFile(this.title);
    const problem = text.trim() === '' ? t('Enter some text') : problemOf(text);
    if (problem !== undefined) {
      throw new Error(problem);
    }
    return text;
  }

  private async askScope(canGoBack: boolean): Promise<void> {
    const { t } = vscode.l10n;
    const placeholder = this.edit === undefined ? '' : `${toEditWords(this.edit, t)}: ${t('in which requests?')}`;
    this.scope = await askChoice<ScopeChoice>({ title: this.title, placeholder, choices: this.scopes(), canGoBack });
  }

  private async askIdPart(canGoBack: boolean): Promise<void> {
    const { t } = vscode.l10n;
    const validate = (text: string) => (text === '' ? t('Enter some text') : undefined);
    this.part = await askText({ title: this.title, prompt: t('Part of the custom_id'), value: this.part, validate, canGoBack });
  }

  private scopes(): readonly Choice<ScopeChoice>[] {
    const { t } = vscode.l10n;
    const { requests, failed, report } = this.file;
    const number = (count: number) => toNumber(count, vscode.env.language);
    const failures = failed === undefined ? 0 : failed.by === 'lines' ? failed.lines.size : failed.ids.size;
    const choices: Choice<ScopeChoice>[] = [{ label: t('All Requests'), description: number(requests), value: { by: 'all' } }];
    if (failed !== undefined && failures > 0) {
      const detail = t('Failed, refused or cut short');
      choices.push({ label: t('Failed Requests'), description: number(failures), detail, value: failed });
    }
    choices.push({ label: t('Requests Whose ID Contains...'), value: 'id' });
    if (report.models.length > 1) {
      choices.push(separator(t('Model')));
      for (const [model, count] of report.models) {
        choices.push({ label: toLabel(model, 100), description: number(count), value: { by: 'model', model } });
      }
    }
    if (report.troubled > 0) {
      const any = { label: t('Any Problem'), description: number(report.troubled), value: { by: 'problem', rule: undefined } } as const;
      choices.push(separator(t('Problem')), any);
      for (const [rule, count] of report.rules) {
        choices.push({ label: rule, description: number(count), value: { by: 'problem', rule } });
      }
    }
    return choices;
  }
}

async function readChosenFile(title: string): Promise<string> {
  const [uri] = await askFiles({ title, openLabel: vscode.l10n.t('Use This Text') });
  if ((await vscode.workspace.fs.stat(uri)).size > largestFile) {
    throw new Error(vscode.l10n.t('The file is larger than 4 MB.'));
  }
  return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
}
