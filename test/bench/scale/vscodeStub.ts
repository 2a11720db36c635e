// The part of `vscode` that trees use, without the processor time of VS Code's own code.
export { Emitter as EventEmitter } from '../../../src/common/emitter';

export enum TreeItemCollapsibleState {
  None = 0,
  Collapsed = 1,
  Expanded = 2,
}

export class TreeItem {
  collapsibleState: TreeItemCollapsibleState;

  constructor(
    public label: string,
    state?: TreeItemCollapsibleState,
  ) {
    this.collapsibleState = state ?? TreeItemCollapsibleState.None;
  }
}

export class ThemeIcon {
  constructor(
    readonly id: string,
    readonly color?: ThemeColor,
  ) {}
}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export class MarkdownString {
  constructor(readonly value: string) {}
}

export class Uri {
  private constructor(private readonly text: string) {}

  static parse(text: string): Uri {
    return new Uri(text);
  }

  static from({ scheme, path }: { readonly scheme: string; readonly path: string }): Uri {
    return new Uri(`${scheme}:${path}`);
  }

  get scheme(): string {
    return this.text.slice(0, this.text.indexOf(':'));
  }

  get fsPath(): string {
    return this.text.slice(this.text.indexOf(':') + 3);
  }

  toString(): string {
    return this.text;
  }
}

/** Fills in placeholders, as `vscode.l10n.t` does without a bundle. */
export const l10n = {
  t: (text: string, ...values: readonly unknown[]) => text.replace(/\{(\d+)\}/g, (_, place: string) => String(values[Number(place)])),
};

export const env = { language: 'en' };
