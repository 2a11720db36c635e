// @ts-check

/**
 * Layout of the first window in a browser. Later, VS Code restores the user's own layout.
 * @typedef {object} FirstLayout
 * @property {string} file path of a file in the editor
 * @property {string} view id of the view in the side bar
 */

/**
 * Returns VS Code's page with a layout in its configuration. A file in the address would be opened again at every reload, instead of the
 * user's editors.
 * @param {string} page
 * @param {FirstLayout} layout
 * @param {string} authority host and port of the server in the browser's address
 */
export function withLayout(page, { file, view }, authority) {
  const uri = { $mid: 1, scheme: 'vscode-remote', authority, path: file };
  const defaultLayout = { editors: [{ uri, openOnlyIfExists: true }], views: [{ id: view }] };
  return page.replace(/(<meta id="vscode-workbench-web-configuration" data-settings=")([^"]*)(">)/, (_, before, settings, after) => {
    const configuration = { ...JSON.parse(unescaped(settings)), defaultLayout };
    return `${before}${escaped(JSON.stringify(configuration))}${after}`;
  });
}

/** @param {string} text */
function unescaped(text) {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
