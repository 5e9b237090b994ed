import type { Module } from './app/module.ts';
import { assetModule } from './modules/asset/module.ts';
import { attestationModule } from './modules/attestation/module.ts';
import { authModule } from './modules/auth/module.ts';
import { bankModule } from './modules/bank/module.ts';
import { bridgeModule } from './modules/bridge/module.ts';
import { delegationModule } from './modules/delegation/module.ts';
import { encumbranceModule } from './modules/encumbrance/module.ts';
import type { MachineOptions } from './modules/evm/machine.ts';
import { createEvmModule } from './modules/evm/module.ts';
import { payoutModule } from './modules/payout/module.ts';
import { precisebankModule } from './modules/precisebank/module.ts';
import { rightsModule } from './modules/rights/module.ts';
import { settlementModule } from './modules/settlement/module.ts';
import { waterfallModule } from './modules/waterfall/module.ts';

/**
 * The chain's modules in the order of their hooks: what a module leans on stands before it, and EndBlock expires
 * settlements, encumbrances and delegations before the bridge sweeps (modules.md, rule 8).
 */
export function devnetModules(machine: MachineOptions = {}): readonly Module[] {
  return [
    authModule,
    bankModule,
    precisebankModule,
    assetModule,
    attestationModule,
    payoutModule,
    rightsModule,
    settlementModule,
    encumbranceModule,
    delegationModule,
    waterfallModule,
    bridgeModule,
    createEvmModule(machine),
  ];
}
