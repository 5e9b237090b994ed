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

/** What answers of a path, and of those below it, have otherwise. */
export type PolicyOverrides = Readonly<Record<string, PathOverride>>;

export interface PathOverride {
  /** Directives of the policy. */
  readonly policy?: Readonly<Record<string, string>>;
  /** Whole headers; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

const PERMISSIONS = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'display-capture'];

/** The app's security headers, which every answer has: nothing from other hosts, nothing inline, no frame around a page. */
export function createHeaders(
  overrides: PolicyOverrides = {},
): (url: string) => Readonly<Record<string, string>> {
  const usual = headersOf({});
  const own = Object.entries(overrides).map(([path, override]) => [path, headersOf(override)] as const);
  return (url) => {
    const [path = ''] = url.split('?', 1);
    return own.find(([page]) => path === page || path.startsWith(`${page}/`))?.[1] ?? usual;
  };
}

function headersOf({ policy, headers }: PathOverride): Readonly<Record<string, string>> {
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
