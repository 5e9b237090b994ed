import { QueryClient, useQuery } from '@tanstack/preact-query';
import { AskError, asAskError } from './errors.ts';

const RETRIES = 2;

/** What was asked stays for a while, so that going back shows the page as it was. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: true,
      // what was refused would be refused again
      retry: (count, error) => count < RETRIES && [0, 500, 503].includes(asAskError(error).status),
      throwOnError: false,
    },
  },
});

/** What became of a question: `data` also while it is asked again, `error` only where there is no data to show. */
export interface Asked<T> {
  readonly data: T | undefined;
  readonly error: AskError | undefined;
  readonly isWaiting: boolean;
  retry(): void;
}

export interface AskOptions {
  /** Asked again and again while the page is visible. */
  readonly everyMs?: number;
  /** Asked only then. */
  readonly enabled?: boolean;
  /** Once there is an answer it is not asked again by itself. */
  readonly staysAsItIs?: boolean;
  /** What was not there a moment ago is not looked for again by each that shows it. */
  readonly missingStays?: boolean;
}

const MISSING_MS = 60_000;

/** When it is asked again: what is not there once a minute, since each 404 is an error in the browser's console. */
export function again(everyMs: number) {
  return ({ state }: { readonly state: { readonly error: Error | null } }): number =>
    isMissing(state.error) ? Math.max(MISSING_MS, everyMs) : everyMs;
}

function mayBeThere({
  state: { error, errorUpdatedAt },
}: {
  readonly state: { readonly error: Error | null; readonly errorUpdatedAt: number };
}): boolean {
  return !isMissing(error) || Date.now() - errorUpdatedAt > MISSING_MS;
}

function isMissing(error: Error | null): boolean {
  return error instanceof AskError && error.status === 404;
}

/** `key` names the question with all that its answer depends on. */
export function useAsk<T>(
  key: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<T>,
  { everyMs, enabled = true, staysAsItIs = false, missingStays = false }: AskOptions = {},
): Asked<T> {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => ask(signal),
    enabled,
    ...(staysAsItIs ? { staleTime: Number.POSITIVE_INFINITY } : {}),
    ...(missingStays ? { retryOnMount: mayBeThere } : {}),
    ...(everyMs === undefined ? {} : { refetchInterval: again(everyMs) }),
  });
  return {
    data,
    error: data === undefined && error !== null ? asAskError(error) : undefined,
    isWaiting: isPending && enabled,
    retry: () => void refetch(),
  };
}
