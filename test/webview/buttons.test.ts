import assert from 'node:assert/strict';
import { bash } from './asks/asksPage';
import { eventually } from './eventually';
import { viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { themeNames, usePages } from './webviewPage';

describe('webview/session/buttons', () => {
  usePages();

  it('have a border that is visible in every theme', async () => {
    const panel = await PanelPage.open();
    await panel.show([], { view: viewOf({ state: 'waiting', asks: [bash] }) });
    for (const theme of themeNames) {
      await panel.setTheme(theme);
      for (const name of ['Deny (D)', 'Interrupt']) {
        await eventually(async () => {
          const ratio = await panel.page.getByRole('button', { name, exact: true }).evaluate(borderContrast);
          assert.ok(ratio >= 3, `${name} in ${theme}: ${ratio}`);
        });
      }
    }
  });
});

/** Returns the contrast of an element's border with its surroundings. Runs in the page. */
function borderContrast(element: Element): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (context === null || Number.parseFloat(getComputedStyle(element).borderTopWidth) < 1) {
    return 0;
  }
  const backgrounds: string[] = [];
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    backgrounds.unshift(getComputedStyle(around).backgroundColor);
  }
  const luminanceOf = (colors: readonly string[]): number => {
    context.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map(value =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light = 0, dark = 0] = [luminanceOf(backgrounds), luminanceOf([...backgrounds, getComputedStyle(element).borderTopColor])].sort(
    (a, b) => b - a,
  );
  return (light + 0.05) / (dark + 0.05);
}
