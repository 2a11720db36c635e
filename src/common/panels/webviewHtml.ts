import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** Returns the options of a webview. The webview may run scripts, and load only its own bundle. */
export function webviewOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, enableCommandUris: false, localResourceRoots: [bundles(extension)] };
}

/**
 * Returns the page of a webview: a root element with `state` and the translations as JSON in its data attributes, the bundle
 * `dist/webview/<name>.js` and its style sheet. Scripts need a nonce of this page, and styles and fonts come from the bundle. Images come
 * only from data URLs.
 */
export function webviewHtml(
  webview: Pick<vscode.Webview, 'asWebviewUri' | 'cspSource'>,
  extension: vscode.Uri,
  { name, state, title }: { readonly name: string; readonly state: object; readonly title: string },
): string {
  const file = (ending: 'js' | 'css') =>
    escapeAttribute(webview.asWebviewUri(vscode.Uri.joinPath(bundles(extension), `${name}.${ending}`)).toString());
  const translations = JSON.stringify(vscode.l10n.bundle ?? {});
  return toDocument(title, nonce => ({
    sources: `style-src ${webview.cspSource}; font-src ${webview.cspSource}; img-src data:`,
    head: `<link rel="stylesheet" href="${file('css')}">`,
    body: `<body>
<div id="root" data-state="${escapeAttribute(JSON.stringify(state))}" data-translations="${escapeAttribute(translations)}"></div>
<script type="module" nonce="${nonce}" src="${file('js')}"></script>
</body>`,
  }));
}

/**
 * Returns an HTML document in the user's language, with `title` for screen readers. The document runs only scripts with its nonce, loads
 * only from `sources`, and makes no connections.
 */
export function toDocument(title: string, write: (nonce: string) => Record<'sources' | 'head' | 'body', string>): string {
  const nonce = randomBytes(18).toString('base64url');
  const { sources, head, body } = write(nonce);
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; ${sources}; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeAttribute(title)}</title>
${head}
</head>
${body}
</html>
`;
}

export function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function bundles(extension: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extension, 'dist', 'webview');
}
