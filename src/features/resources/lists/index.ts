export { performAct } from './performAct';
export { ResourceList } from './resourceList';
export { surroundingsOf } from './surroundings';
export { whenLookedAt } from './whenLookedAt';
