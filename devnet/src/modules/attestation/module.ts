import type { Module } from '../../app/module.ts';
import { initAttestations } from './genesis.ts';
import { attestationMessages } from './messages.ts';
import { attestationQueries } from './queries.ts';

export const attestationModule: Module = {
  name: 'attestation',
  messages: attestationMessages,
  queries: attestationQueries,
  initGenesis: initAttestations,
};
