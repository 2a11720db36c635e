import type { TreeDataProvider, TreeItem } from 'vscode';

/** Behaves like VS Code with a tree: keeps only the roots and the expanded rows, and asks for items as VS Code does. */
export class TreeWindow<T extends object> {
  /** Number of requested rows since `asked` was last set to 0. */
  asked = 0;
  private readonly news: (T | readonly T[] | undefined)[] = [];
  private readonly known = new Set<T>();

  /** `isUnfolded` returns whether the children of a row are rendered too. */
  constructor(
    private readonly provider: TreeDataProvider<T>,
    private readonly isUnfolded: (row: T) => boolean = () => false,
  ) {
    provider.onDidChangeTreeData?.(changed => this.news.push(changed ?? undefined));
  }

  /** Renders the changed rows, or everything if the tree reports no single rows. */
  async draw(): Promise<void> {
    const news = this.news.splice(0);
    if (news.includes(undefined)) {
      await this.drawAll();
      return;
    }
    for (const row of new Set(news.flatMap(one => one as T | readonly T[]))) {
      // VS Code ignores rows that it never rendered.
      if (this.known.has(row)) {
        await this.drawRow(row);
      }
    }
  }

  async drawAll(): Promise<void> {
    this.known.clear();
    await this.drawBelow(undefined);
  }

  private async drawBelow(parent: T | undefined): Promise<void> {
    for (const row of (await this.provider.getChildren(parent)) ?? []) {
      await this.drawRow(row);
    }
  }

  private async drawRow(row: T): Promise<void> {
    this.known.add(row);
    this.asked++;
    const { id, label, description, contextValue, command } = (await this.provider.getTreeItem(row)) as TreeItem;
    // The part of an item that is sent to the window.
    JSON.stringify([id, label, description, contextValue, command]);
    if (this.isUnfolded(row)) {
      await this.drawBelow(row);
    }
  }
}
