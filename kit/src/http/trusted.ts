import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { StrataError } from '../errors.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** The bundled certificates and those of a PEM file; undefined without one. Errors: config_invalid. */
export function trustedCertificates(path: string | undefined): readonly string[] | undefined {
  if (path === undefined) return undefined;
  const own = readText(path).match(CERTIFICATE) ?? [];
  if (own.length === 0) throw invalid(`${path} holds no PEM certificate`);
  for (const pem of own) {
    try {
      new X509Certificate(pem);
    } catch (cause) {
      throw invalid(`a certificate in ${path} cannot be read`, cause);
    }
  }
  return [...rootCertificates, ...own];
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw invalid(`the CA file ${path} cannot be read: ${reason}`, cause);
  }
}

function invalid(message: string, cause?: unknown): StrataError {
  return new StrataError('config_invalid', message, cause === undefined ? {} : { cause });
}
