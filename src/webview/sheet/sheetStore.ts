import type { SheetView, ToWebview } from '../../shared/sheet/sheetProtocol';

/** Latest message of the host. */
export class SheetStore {
  view: SheetView | undefined;
  /** Progress of the work in `view.foot.status`, from 0 to 1. */
  share: number | undefined;
  private readonly listeners = new Set<() => void>();

  receive(message: ToWebview): void {
    switch (message.type) {
      case 'view':
        this.view = message.view;
        this.share = message.view.foot.status.share;
        break;
      case 'progress':
        // It may arrive after the view that reports the end.
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
