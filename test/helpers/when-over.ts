/**
 * Registers a callback for the end of the test, or (`afterAll`) for the end of the group of tests that share a home.
 */
export type WhenOver = (finish: () => void | Promise<void>) => void
