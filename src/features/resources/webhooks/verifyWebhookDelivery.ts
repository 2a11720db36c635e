import * as vscode from 'vscode';
import { askChoice, askText } from '../../../common/asking/askSteps';
import { chooseFile } from '../../../common/asking/chooseFile';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { toLabel } from '../../../shared/text';
import { textOf } from '../documents/publishSteps';
import { lengthProblem } from '../vaults/credentialQuestions';
import { readDelivery, verifyDelivery } from './verifyDelivery';
import type { StoredSecret, WebhookSecrets } from './webhookSecrets';

/** Verifies a delivery from the clipboard or a file, and shows its problems. Sends no request. */
export async function verifyWebhookDelivery(secrets: WebhookSecrets, file: vscode.Uri | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const delivery = readDelivery(await askDelivery(file));
  if (delivery === undefined) {
    throw new Error(t('Not a webhook delivery. Expected headers, a blank line, then the body, or JSON with "headers" and "body".'));
  }
  const secret = await askSigningSecret(secrets);
  const { isValid, findings } = verifyDelivery(delivery, [secret], Date.now(), t);
  const remark = delivery.isReserialised === true ? [t('Write the body as a string.')] : [];
  const words = [...findings, ...(isValid ? [] : remark)];
  const verdict = isValid ? t('The delivery is valid.') : t("The delivery isn't valid.");
  await (isValid ? showInformation : showWarning)([verdict, ...words].join(' '), t('OK'));
}

async function askDelivery(file: vscode.Uri | undefined): Promise<string> {
  const { t } = vscode.l10n;
  const isInClipboard =
    file === undefined &&
    (await askChoice<boolean>({
      title: t('Verify Webhook Delivery'),
      placeholder: t('Headers, a blank line, then the body'),
      choices: [
        { label: `$(clippy) ${t('From Clipboard')}`, detail: t('Headers, a blank line, then the body'), value: true },
        { label: `$(file) ${t('From File...')}`, detail: '.http, .json', value: false },
      ],
    }));
  if (isInClipboard) {
    return await vscode.env.clipboard.readText();
  }
  const uri = await chooseFile(file, { question: t('Select a file'), openLabel: t('Verify'), extensions: ['http', 'json', 'txt'] });
  return await textOf(uri, t('The file is larger than {0}.', '4 MB'));
}

async function askSigningSecret(secrets: WebhookSecrets): Promise<string> {
  const { t } = vscode.l10n;
  const title = t('Verify Webhook Delivery');
  const stored = secrets.list();
  const chosen =
    stored.length === 0
      ? 'typed'
      : await askChoice<StoredSecret | 'typed'>({
          title,
          placeholder: t('Signing secret'),
          choices: [
            ...stored.map(one => ({
              label: `$(key) ${toLabel(one.name, 60).replaceAll('$(', '\\$(')}`,
              description: t('for {0}', one.connection),
              value: one,
            })),
            { label: `$(edit) ${t('Enter Secret')}`, value: 'typed' as const },
          ],
        });
  const found = chosen === 'typed' ? undefined : await secrets.get(chosen);
  return (
    found ??
    (await askText({
      title,
      prompt: t('Signing secret'),
      password: true,
      // The verification reports an invalid format.
      validate: text => (text === '' ? t('Enter some text') : lengthProblem(text, 1000, t)),
    }))
  );
}
