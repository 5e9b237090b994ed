/** The folder's chain cannot go on. */
export class HomeError extends Error {}
