import type { Module } from '../module.ts';
import { attestationDerivation } from './derivation.ts';
import { attestationExport } from './export.ts';
import { accountAttestationsRoute } from './routes/account-attestations.ts';
import { attesterRoute } from './routes/attester.ts';

export const attestation: Module = {
  name: 'attestation',
  derivation: attestationDerivation,
  export: attestationExport,
  routes: [accountAttestationsRoute, attesterRoute],
};
