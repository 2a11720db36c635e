import type * as vscode from 'vscode';
import { systemClock } from '../../../common/clock';
import type { Log } from '../../../common/log';
import { isWindowUsed } from '../../../common/windowUse';
import type { Service } from '../service';
import type { ListSurroundings } from './resourceList';

/** Returns the dependencies that the lists of a view need. `options` come from the view. */
export function surroundingsOf(
  service: Service,
  view: Pick<vscode.TreeView<unknown>, 'visible'>,
  log: Log,
  options: { readonly includeArchived: boolean },
): ListSurroundings {
  return {
    reach: async connection => (await service.reach(connection, 'nobody')).client,
    access: () => service.connections.access,
    isShown: () => view.visible && service.lookedAt !== undefined,
    isFocused: isWindowUsed,
    includeArchived: () => options.includeArchived,
    warn: message => log.warn(message),
    clock: systemClock,
  };
}
