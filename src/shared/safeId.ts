/** Ids of a service that are safe in a link or from another extension: letters, digits and `._:-`, at most 200 characters. */
export const safeId = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/;
