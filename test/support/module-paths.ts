/**
 * `STRATA_TEST_MODULES=path,… vitest run test/modules/contract-suite.store.test.ts`: modules that lie outside of Strata, beside
 * its own (docs/modules.md).
 */
export const TEST_MODULE_PATHS: readonly string[] = (process.env.STRATA_TEST_MODULES ?? '')
  .split(',')
  .filter((path) => path !== '');
