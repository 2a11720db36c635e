/** Pattern of a valid `custom_id`. */
export const customIdPattern = /^[a-zA-Z0-9_-]{1,64}$/;
