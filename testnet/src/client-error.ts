import { answerRawErrors, type RawSocket } from 'strata-kit/raw-errors';

/** Answers bytes that are no request, of which no route or hook hears, as other errors are answered. */
export function createClientErrors(
  headers: Readonly<Record<string, string>>,
): (error: NodeJS.ErrnoException, socket: RawSocket) => void {
  return answerRawErrors({
    headers,
    contentType: 'application/json; charset=utf-8',
    body: (error) => JSON.stringify({ error, code: 'bad_request' }),
  });
}
