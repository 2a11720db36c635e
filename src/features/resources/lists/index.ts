export { performAct } from './performAct';
export { ResourceList } from './resourceList';
export { surroundingsOf } from './surroundings';
export { whenPollable } from './whenPollable';
