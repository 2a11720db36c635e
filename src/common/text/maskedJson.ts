export { maskSecrets, toMaskedJson } from '../../shared/maskedJson';
