const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'object-src': "'none'",
};

export type AnswerHeaders = Readonly<Record<string, string>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Security headers of this route's answers; USUAL_HEADERS where it names none. */
    headers?: AnswerHeaders;
  }
}

export interface HeaderChanges {
  /** Directives of the policy. */
  readonly policy?: Readonly<Record<string, string>>;
  /** Whole headers; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

const PERMISSIONS = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'display-capture'];

/**
 * The app's security headers with a route's changes. The router chooses them, never a second reading of the URL: one path has
 * many spellings (`/%72eference`).
 */
export function headersWith({ policy, headers }: HeaderChanges): AnswerHeaders {
  const all: Readonly<Record<string, string | undefined>> = {
    'content-security-policy': Object.entries({ ...POLICY, ...policy })
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': PERMISSIONS.map((name) => `${name}=()`).join(', '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...headers,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Of every answer: nothing from other hosts, nothing inline, no frame around a page. */
export const USUAL_HEADERS = headersWith({});

/** Of public files that any origin may read, such as the reference's document, whose origin is opaque. */
export const PUBLIC_HEADERS = headersWith({ headers: { 'access-control-allow-origin': '*' } });
