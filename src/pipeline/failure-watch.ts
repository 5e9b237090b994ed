/**
 * A failure that may come at any time, raced against many waits. Promise.race would do, but it keeps every value that
 * it ever resolved with for as long as the other promise is pending: here each decoded range, for the whole run.
 */
export interface FailureWatch {
  /** The first failure counts. */
  fail(error: unknown): void;
  /** Settles like `promise`, or rejects as soon as there is a failure. */
  guard<T>(promise: Promise<T>): Promise<T>;
}

export function createFailureWatch(): FailureWatch {
  let failure: { readonly error: unknown } | undefined;
  const waiting = new Set<(error: unknown) => void>();
  return {
    fail(error) {
      if (failure !== undefined) return;
      failure = { error };
      for (const reject of waiting) reject(error);
      waiting.clear();
    },
    guard(promise) {
      return new Promise((resolve, reject) => {
        if (failure !== undefined) {
          promise.catch(() => undefined); // the failure is what is told
          reject(failure.error);
          return;
        }
        waiting.add(reject);
        promise.then(resolve, reject).finally(() => waiting.delete(reject));
      });
    },
  };
}
