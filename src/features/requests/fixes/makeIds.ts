import * as vscode from 'vscode';
import { askChoice, askText, runSteps, type Step } from '../../../common/asking/askSteps';
import { type IdChoice, type IdScheme, previewIds, toFieldPath } from '../../../jsonl/fixes/idRewriter';
import type { RewriteSummary } from '../../../jsonl/fixes/lineRewriter';
import { toLabel } from '../../../shared/text';
import { toNumber } from '../../../shared/formats';
import type { RewriteTarget } from './rewriteTarget';

type SchemeType = 'padded' | 'number' | 'hash' | 'field';

/** Asks how to create ids, and sets them in the requests of a file. All ids, including existing ones, are different. */
export async function makeIds(target: RewriteTarget): Promise<void> {
  const { t } = vscode.l10n;
  const numbered: IdChoice = { scheme: { type: 'number', prefix: 'request-', digits: 0 }, scope: 'missing' };
  const summary = await target.survey({ type: 'ids', choice: numbered });
  const choice = await new IdQuestions(summary, await target.firstLines()).ask();
  const prepared = await target.prepare({ type: 'ids', choice });
  const { changedLines } = prepared.summary;
  const done = await prepared.apply(await target.askTarget(prepared, t('Make IDs')));
  target.showDone(t('IDs created: {0}.', toNumber(changedLines, vscode.env.language)), done);
}

class IdQuestions {
  private scope: IdChoice['scope'];
  private type: SchemeType = 'padded';
  private prefix = 'request-';
  private field = 'metadata.user_id';
  private readonly title = vscode.l10n.t('Make Custom IDs');

  constructor(
    private readonly summary: RewriteSummary,
    private readonly lines: readonly string[],
  ) {
    this.scope = summary.withoutId > 0 ? 'missing' : 'all';
  }

  async ask(): Promise<IdChoice> {
    await runSteps(this.summary.withoutId > 0 ? this.askScope : this.askScheme);
    return { scheme: this.scheme(this.type), scope: this.scope };
  }

  private readonly askScope: Step = async canGoBack => {
    const { t } = vscode.l10n;
    const { requests, withoutId } = this.summary;
    const locale = vscode.env.language;
    const description = t('{0} of {1}', toNumber(withoutId, locale), toNumber(requests, locale));
    this.scope = await askChoice<IdChoice['scope']>({
      title: this.title,
      placeholder: t('Select requests'),
      choices: [
        { label: t('Requests without an ID'), description, value: 'missing' },
        { label: t('All Requests'), description: toNumber(requests, locale), detail: t('Replaces existing IDs'), value: 'all' },
      ],
      active: this.scope,
      canGoBack,
    });
    return this.askScheme;
  };

  private readonly askScheme: Step = async canGoBack => {
    const { t } = vscode.l10n;
    const choiceOf = (value: SchemeType, label: string) => ({ label, description: this.preview(value), value });
    this.type = await askChoice<SchemeType>({
      title: this.title,
      placeholder: t('Select the ID format'),
      choices: [
        choiceOf('padded', t('Text and padded number')),
        choiceOf('number', t('Text and number')),
        choiceOf('hash', t('A hash of the params')),
        choiceOf('field', t('A field of the params')),
      ],
      active: this.type,
      canGoBack,
    });
    return this.type === 'hash' ? undefined : this.type === 'field' ? this.askField : this.askPrefix;
  };

  private readonly askPrefix: Step = async canGoBack => {
    const { t } = vscode.l10n;
    this.prefix = await askText({
      title: this.title,
      prompt: t('Text before the number'),
      value: this.prefix,
      validate: text => (/^[a-zA-Z0-9_-]{0,40}$/.test(text) ? undefined : t('Use up to 40 letters or digits.')),
      canGoBack,
    });
    return undefined;
  };

  private readonly askField: Step = async canGoBack => {
    const { t } = vscode.l10n;
    this.field = await askText({
      title: this.title,
      prompt: t('Field, such as top_p or metadata.user_id'),
      value: this.field,
      validate: text => (toFieldPath(text).length > 0 ? undefined : t('Field, such as top_p or metadata.user_id')),
      canGoBack,
    });
    return undefined;
  };

  private scheme(type: SchemeType): IdScheme {
    switch (type) {
      case 'padded':
        return { type: 'number', prefix: this.prefix, digits: String(this.summary.requests).length };
      case 'number':
        return { type: 'number', prefix: this.prefix, digits: 0 };
      case 'hash':
        return { type: 'hash' };
      case 'field':
        return { type: 'field', path: toFieldPath(this.field) };
    }
  }

  private preview(type: SchemeType): string {
    const ids = previewIds(this.lines, { scheme: this.scheme(type), scope: this.scope }, 3);
    return ids.length === 0 ? '' : toLabel(`${ids.join(', ')}${ids.length === 3 ? ', …' : ''}`, 120);
  }
}
