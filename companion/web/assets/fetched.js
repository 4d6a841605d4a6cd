/** What says that a script asks and nobody looks at the answer: a notice waits for a page that somebody sees. */
export const FETCHED = { "X-Requested-With": "fetch" };
