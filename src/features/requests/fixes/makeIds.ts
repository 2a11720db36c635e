import * as vscode from 'vscode';
import { askChoice, askText, runQuestions } from '../../../common/asking/askSteps';
import { type IdChoice, type IdScheme, previewIds, toFieldPath } from '../../../jsonl/fixes/idRewriter';
import type { RewriteSummary } from '../../../jsonl/fixes/lineRewriter';
import { toLabel } from '../../../shared/text';
import { count } from '../fileWork';
import type { RewriteTarget } from './rewriteTarget';

type SchemeType = 'padded' | 'number' | 'hash' | 'field';

/** Asks how to create ids, and sets them in the requests of a file. All ids of the file are then unique, including existing ones. */
export async function makeIds(target: RewriteTarget): Promise<void> {
  const { t } = vscode.l10n;
  const numbered: IdChoice = { scheme: { type: 'number', prefix: 'request-', digits: 0 }, scope: 'missing' };
  const { summary } = await target.prepare({ type: 'ids', choice: numbered });
  const choice = await askIds(summary, await target.firstLines());
  const prepared = await target.prepare({ type: 'ids', choice });
  const { changedLines } = prepared.summary;
  const done = await prepared.apply(await target.askOutput(prepared, t('Generate IDs')));
  target.showDone(t('IDs generated: {0}.', count(changedLines)), done);
}

async function askIds({ requests, withoutId }: RewriteSummary, lines: readonly string[]): Promise<IdChoice> {
  const { t } = vscode.l10n;
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
        choiceOf('hash', t('A hash of params')),
        choiceOf('field', t('A field in params')),
      ],
      active: type,
      canGoBack,
    });
  };
  const askPrefix = async (canGoBack: boolean) => {
    const validate = (text: string) => (/^[a-zA-Z0-9_-]{0,40}$/.test(text) ? undefined : t('Use up to 40 letters or digits.'));
    prefix = await askText({ title, prompt: t('Text before the number'), value: prefix, validate, canGoBack });
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
