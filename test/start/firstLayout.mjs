// @ts-check

/**
 * Layout of a window in a browser that has never opened one here. Later, VS Code restores what the user left.
 * @typedef {object} FirstLayout
 * @property {string} file path of a file in the editor
 * @property {string} view id of the view in the side bar
 */

/**
 * Returns VS Code's page with a layout in its configuration. An address with a file would open it again at every reload, instead of the
 * user's editors.
 * @param {string} page
 * @param {FirstLayout} layout
 * @param {string} authority host and port by which the browser knows the server
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
