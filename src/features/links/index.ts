import * as vscode from 'vscode';
import { createShowError } from '../../common/asking/showError';
import { isCancellation } from '../../common/cancellation';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import type { LinksDependencies } from './linkFollower';

export type { LinkTarget } from './linkForm';

/** Loads the function that opens the target of a link without asking. */
export const loadLinkOpening = () => import('./openLinked');

/** Loads the function that copies links to the clipboard. */
export const loadLinkCopying = () => import('./copyLinks');

/** Opens links of the form `vscode://managed-agents.managed-agents/session/ID?host=HOST`. Loaded when the first link arrives. */
export function registerLinks(deps: LinksDependencies): vscode.Disposable {
  const follower = new Lazy(async () => new (await import('./linkFollower')).LinkFollower(deps));
  const showError = createShowError(deps.log);
  return combine(
    follower,
    vscode.window.registerUriHandler({
      handleUri: async uri => {
        try {
          await (await follower.get()).follow(uri);
        } catch (error) {
          if (!isCancellation(error)) {
            void showError(error);
          }
        }
      },
    }),
  );
}
