import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** Returns the options of a webview: it may run scripts, and load only its own bundle. */
export function webviewOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, enableCommandUris: false, localResourceRoots: [bundles(extension)] };
}

/**
 * Returns the page of a webview: a root element with `state` as JSON in its `data-state`, the bundle `dist/webview/<name>.js` and its style
 * sheet. Screen readers announce `title`. Nothing else can run or load. Scripts need a nonce of this page, and styles and fonts come from
 * the bundle. Images come only from data URLs, and there are no connections.
 */
export function webviewHtml(
  webview: Pick<vscode.Webview, 'asWebviewUri' | 'cspSource'>,
  extension: vscode.Uri,
  { name, state, title }: { readonly name: string; readonly state: object; readonly title: string },
): string {
  const nonce = randomBytes(18).toString('base64url');
  const file = (ending: 'js' | 'css') =>
    attribute(webview.asWebviewUri(vscode.Uri.joinPath(bundles(extension), `${name}.${ending}`)).toString());
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${attribute(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(title)}</title>
<link rel="stylesheet" href="${file('css')}">
</head>
<body>
<div id="root" data-state="${attribute(JSON.stringify(state))}"></div>
<script type="module" nonce="${nonce}" src="${file('js')}"></script>
</body>
</html>
`;
}

function bundles(extension: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extension, 'dist', 'webview');
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
