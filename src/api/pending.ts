/**
 * Routes of the contract (api.md, "Indexer endpoints") that are not served yet: they answer 404 with the
 * message `not served yet`. A path leaves this list when its route joins src/api/routes or a module's.
 */
export const PENDING_PATHS: readonly string[] = [];
