/**
 * Stands in a printed command for a value that the person chooses. A shell takes the quoted character as a plain word, and
 * the parser refuses it, so a command that is pasted as it is changes nothing.
 */
export const PLACEHOLDER = '…'
