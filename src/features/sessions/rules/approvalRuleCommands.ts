import type { Handlers } from '../../../common/commands';
import type { ApprovalRules } from './approvalRules';
import { manageRules } from './manageRules';

/** Returns the handlers of the commands on approval rules. */
export function createApprovalRuleCommands(rules: ApprovalRules) {
  return {
    'managedAgents.approvalRules.manage': ask => manageRules(rules, ask),
    'managedAgents.approvalRules.undo': () => rules.undo(),
  } satisfies Partial<Handlers>;
}
