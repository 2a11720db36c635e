export { toByteSize, toLabel } from '../../shared/text';
