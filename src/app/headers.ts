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

/** Directives that a path and those below it need otherwise. */
export type PolicyOverrides = Readonly<Record<string, Readonly<Record<string, string>>>>;

const PERMISSIONS = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'display-capture'];

/** The app's security headers, which every answer has: nothing from other hosts, nothing inline, no frame around a page. */
export function createHeaders(
  overrides: PolicyOverrides = {},
): (url: string) => Readonly<Record<string, string>> {
  const usual = headersOf(POLICY);
  const own = Object.entries(overrides).map(
    ([path, directives]) => [path, headersOf({ ...POLICY, ...directives })] as const,
  );
  return (url) => {
    const [path = ''] = url.split('?', 1);
    return own.find(([page]) => path === page || path.startsWith(`${page}/`))?.[1] ?? usual;
  };
}

function headersOf(directives: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return {
    'content-security-policy': Object.entries(directives)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': PERMISSIONS.map((name) => `${name}=()`).join(', '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}
