import { StrataError } from '../errors.ts';

/**
 * What a client cannot do: `input` is what the caller gave (wrong words, an unknown key), `unreachable` a node that is not
 * there, `busy` one that takes no more requests at the moment, `node` one that answered wrongly, `timeout` a deadline that passed. A refusal of the chain is no error of the client.
 */
export class ClientError extends Error {
  readonly kind: 'input' | 'unreachable' | 'busy' | 'node' | 'timeout';

  constructor(kind: ClientError['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ClientError';
    this.kind = kind;
  }
}

export function inputError(message: string): ClientError {
  return new ClientError('input', message);
}

const CODES = {
  input: 'config_invalid',
  timeout: 'node_timeout',
  unreachable: 'node_unreachable',
  busy: 'node_unreachable',
  node: 'node_bad_answer',
} as const;

/** A client's failure as one that commands report. It is retryable unless somebody typed something wrong. */
export function asStrataError(error: ClientError): StrataError {
  const { kind, message } = error;
  return new StrataError(CODES[kind], message, { retryable: kind !== 'input', cause: error });
}
