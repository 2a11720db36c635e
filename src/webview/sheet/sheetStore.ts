import type { SheetView, ToWebview } from '../../shared/sheet/sheetProtocol';

/** Latest message of the host. */
export class SheetStore {
  view: SheetView | undefined;
  /** From 0 to 1; of the work that `view.foot.status` tells of. */
  share: number | undefined;
  private readonly listeners = new Set<() => void>();

  receive(message: ToWebview): void {
    switch (message.type) {
      case 'view':
        this.view = message.view;
        this.share = message.view.foot.status.share;
        break;
      case 'progress':
        // It may come after the view that tells of the end.
        this.share = this.share === undefined ? undefined : Math.max(this.share, message.share);
        break;
    }
    for (const listener of this.listeners) {
      listener();
    }
  }

  onDidChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
