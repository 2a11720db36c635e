/** Pattern of the ID of a request in its batch (contract: 1 to 64 characters of `a-z A-Z 0-9 _ -`). */
export const customIdPattern = /^[a-zA-Z0-9_-]{1,64}$/;
