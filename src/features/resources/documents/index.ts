export { type Asker, type Reached, Service } from '../service';
export { bringTogether, type Sides } from './bringTogether';
export { DefinitionFiles, type DocumentSort, isSameDocument, nameInUri, type Saved, type Shown } from './definitionFiles';
export {
  closeDiffs,
  closeTabsOf,
  confirmBeside,
  isConflict,
  listNames,
  pickDefinitionFile,
  revertTabs,
  saveOpenDocuments,
  showDiff,
  textOf,
} from './publishSteps';
