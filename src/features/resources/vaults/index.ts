export { pickVaults } from './pickVaults';
