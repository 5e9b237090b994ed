export type HttpFailureKind =
  | 'aborted'
  | 'timeout'
  | 'unreachable'
  | 'busy'
  | 'redirect'
  /** In an encoding that was not asked for, or packed bytes that are broken. */
  | 'encoded'
  | 'too_large';

/** The message names the service, without its secrets. */
export class HttpFailure extends Error {
  readonly kind: HttpFailureKind;

  constructor(kind: HttpFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'HttpFailure';
    this.kind = kind;
  }
}
