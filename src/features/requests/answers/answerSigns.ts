import * as vscode from 'vscode';
import type { LineMark } from './answerPresentation';

/** Returns the decoration of a line with a mark: text like an inlay hint in the color of the mark, and a gutter icon with its own shape. */
export function toDecoration(mark: LineMark): vscode.DecorationRenderOptions {
  return {
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
    after: {
      margin: '0 1ch',
      color: new vscode.ThemeColor(toColor(mark)),
      backgroundColor: new vscode.ThemeColor('editorInlayHint.background'),
      fontStyle: 'normal',
    },
    ...toGutter(mark),
  };
}

/** Returns the decoration of a mark in the overview ruler. */
export function toRulerDecoration(color: string): vscode.DecorationRenderOptions {
  return { overviewRulerLane: vscode.OverviewRulerLane.Right, overviewRulerColor: new vscode.ThemeColor(color) };
}

function toColor(mark: LineMark): string {
  switch (mark) {
    case 'succeeded':
      return 'editorCodeLens.foreground';
    case 'changed':
    case 'sent':
      return 'disabledForeground';
    case 'failed':
    case 'refused':
      return 'editorError.foreground';
    default:
      return 'editorWarning.foreground';
  }
}

/** Returns the gutter icon, which stays on screen however far a line is scrolled to the side. */
function toGutter(mark: LineMark): vscode.DecorationRenderOptions {
  const icon = (color: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="${color}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${toShape(mark, color)}</svg>`;
    return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
  };
  const [dark, light] = toGutterColors(mark);
  return { gutterIconSize: '75%', dark: { gutterIconPath: icon(dark) }, light: { gutterIconPath: icon(light) } };
}

function toGutterColors(mark: LineMark): readonly [dark: string, light: string] {
  switch (mark) {
    case 'succeeded':
      return ['#73c991', '#287d3c'];
    case 'changed':
    case 'sent':
      return ['#9d9d9d', '#6f6f6f'];
    case 'failed':
    case 'refused':
      return ['#f48771', '#c0392b'];
    default:
      return ['#e2c08d', '#8a6100'];
  }
}

function toShape(mark: LineMark, color: string): string {
  const dot = (x: number) => `<circle cx="${x}" cy="8" r="1.3" fill="${color}" stroke="none"/>`;
  switch (mark) {
    case 'succeeded':
      return '<path d="M3 8.5l3.5 3.5L13 4.5"/>';
    case 'cut_short':
      return `<circle cx="8" cy="8" r="5.5"/><path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="${color}" stroke="none"/>`;
    case 'refused':
      return '<circle cx="8" cy="8" r="5.5"/><path d="M4.2 11.8l7.6-7.6"/>';
    case 'empty':
      return '<circle cx="8" cy="8" r="5.5"/>';
    case 'failed':
      return '<path d="M4 4l8 8M12 4l-8 8"/>';
    case 'canceled':
      return '<path d="M3.5 8h9"/>';
    case 'expired':
      return '<circle cx="8" cy="8" r="5.5"/><path d="M8 4.8V8l2.2 1.6"/>';
    case 'other':
      return '<path d="M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4M8 12.4v.1"/>';
    case 'missing':
      return '<circle cx="8" cy="8" r="5.5" stroke-dasharray="2 2.6"/>';
    case 'changed':
      return '<path d="M3.5 6h9M3.5 10h9M10.5 3l-5 10"/>';
    case 'sent':
      return `${dot(3.5)}${dot(8)}${dot(12.5)}`;
  }
}
