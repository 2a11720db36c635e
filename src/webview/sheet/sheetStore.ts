import type { SheetView, ToWebview } from '../../shared/sheet/sheetProtocol';
import { HostStore } from '../controls/hostStore';

/** Latest message of the host. */
export class SheetStore extends HostStore<ToWebview> {
  view: SheetView | undefined;
  /** Progress of the work in `view.foot.status`, from 0 to 1. */
  share: number | undefined;

  receive(message: ToWebview): void {
    switch (message.type) {
      case 'view':
        this.view = message.view;
        this.share = message.view.foot.status.share;
        break;
      case 'progress':
        // A progress message may arrive after the view that reports the end, so the share never decreases.
        this.share = this.share === undefined ? undefined : Math.max(this.share, message.share);
        break;
    }
    this.changed();
  }
}
