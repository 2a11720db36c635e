import * as vscode from 'vscode';
import { type BaseUrl, parseBaseUrl } from '../../../client/transport/baseUrl';
import { askChoice, askText, type Question } from '../../../common/asking/askSteps';
import { describeBaseUrlProblem } from '../connectionSettings';

/** Asks for a base URL until it is valid. Rejects with `CancelledError` on Escape. */
export async function askAddress(question: Question & { readonly value: string | undefined }): Promise<BaseUrl> {
  const t = vscode.l10n.t;
  const text = await askText({
    ...question,
    prompt: t('Enter an address such as https://agents.example.com'),
    placeholder: 'https://agents.example.com',
    validate: address => {
      const parsed = parseBaseUrl(address);
      return typeof parsed === 'string' ? describeBaseUrlProblem(parsed, t) : undefined;
    },
  });
  return parseBaseUrl(text) as BaseUrl;
}

/** Asks whether to allow plain http to this host. The safe choice has the focus. */
export async function askInsecureHttp(question: Question, baseUrl: BaseUrl): Promise<boolean> {
  const t = vscode.l10n.t;
  const answer = await askChoice<'change' | 'allow'>({
    ...question,
    placeholder: t("Plain http isn't encrypted"),
    choices: [
      { label: `$(edit) ${t('Change the Address')}`, description: t('encrypted'), value: 'change' },
      { label: `$(unlock) ${t('Allow Plain http for {0}', baseUrl.host)}`, description: t('for trusted networks only'), value: 'allow' },
    ],
    active: 'change',
  });
  return answer === 'allow';
}
