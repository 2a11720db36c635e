/** Ids of a service that can stand in a link or come from another extension: letters, digits and `._:-`, at most 200 characters. */
export const safeId = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/;
