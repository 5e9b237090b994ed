import { openCodec } from 'strata-kit/codec/codec';
import { ASSET_CODES } from '../../src/modules/asset/codes.ts';
import { ATTESTATION_CODES } from '../../src/modules/attestation/codes.ts';
import { BRIDGE_CODES } from '../../src/modules/bridge/codes.ts';
import { DELEGATION_CODES } from '../../src/modules/delegation/codes.ts';
import { ENCUMBRANCE_CODES } from '../../src/modules/encumbrance/codes.ts';
import { PAYOUT_CODES } from '../../src/modules/payout/codes.ts';
import { RIGHTS_CODES } from '../../src/modules/rights/codes.ts';
import { SETTLEMENT_CODES } from '../../src/modules/settlement/codes.ts';
import { WATERFALL_CODES } from '../../src/modules/waterfall/codes.ts';

/** What a workload must bring about. */

export const codec = openCodec({ namespace: 'aeva' });

const declared = [...codec.registry]
  .filter((desc) => desc.kind === 'message')
  .map(({ typeName }) => typeName)
  .filter((name) => name.startsWith('aeva.'));

/** Every event type and message of the nine modules' protos. */
export const EVENTS = declared.filter((name) => /\.Event\w+$/.test(name)).map((name) => `event ${name}`);
const MESSAGES = declared
  .filter((name) => /\.Msg\w+$/.test(name) && !name.endsWith('Response'))
  .map((name) => `message /${name}`);

/** Every state transition of api.md, section 3, and who may cause it (modules.md, section 4). */
const TRANSITIONS = [
  'settlement STATUS_PENDING',
  'settlement STATUS_SETTLED',
  'settlement STATUS_CANCELLED by the proposer',
  'settlement STATUS_CANCELLED by the counterparty',
  'settlement STATUS_CANCELLED by LIQUIDATION',
  'settlement STATUS_EXPIRED',
  'KIND_PLEDGE created by holder',
  'KIND_LIEN created by operator',
  'KIND_LOCKUP created by issuer',
  'KIND_LOCKUP created by holder',
  'encumbrance released by beneficiary',
  'encumbrance released by releaser',
  'encumbrance released by holder',
  'encumbrance released whole',
  'encumbrance released in part',
  'encumbrance exercised',
  'encumbrance expired',
  'delegation END_REASON_EXPIRED',
  'delegation END_REASON_REVOKED',
  'delegation END_REASON_RETURNED',
  'attestation replaced',
  'asset ASSET_STATUS_LIQUIDATING',
  'asset ASSET_STATUS_LIQUIDATED',
  'liquidation closed, nothing returned',
  'liquidation closed, something returned',
  'redemption pool topped up',
  'policy POLICY_MODE_ATTESTED of an asset',
  'policy POLICY_MODE_CLOSED of a kind',
  'policy POLICY_MODE_OPEN of a kind',
  'policy unset of a kind',
  'claimed own',
  'claimed routed',
  'distributed uusd',
  'distributed aaeva',
  'route ROUTE_STATUS_PAUSED',
  'route ROUTE_STATUS_ACTIVE',
  ...['NATIVE_OUT', 'SYNTHETIC_IN', 'RIGHT_OUT', 'RIGHT_OUT bundle'].flatMap((direction) =>
    ['route', 'out over', 'in over'].map((what) => `${what} DIRECTION_${direction}`),
  ),
  'several messages',
  'contract created',
];

/** modules.md, rule 14. */
const QUESTS = [
  'faucet',
  'evm_tx',
  'swap',
  'add_liquidity',
  'first_dividend',
  'claim_income',
  'sell_strip',
  'borrow_repay',
  'launch_asset',
  'delegate_income',
].map((quest) => `quest ${quest}`);

const REVERTS = [
  'Error(string)',
  'custom error',
  'Panic(0x01)',
  'Panic(0x12)',
  'no data',
  'out of gas',
  'invalid opcode',
  'creation, no data',
  'creation, invalid opcode',
  'policy denied …/CLOSED/sender',
  'policy denied …/override/ATTESTED/<type>/recipient',
].map((kind) => `revert: ${kind}`);

/** Out of gas, and what fails before its messages: sequence, fee, signature, balance, memo, timeout; nonces. */
const OF_THE_ANTE = ['sdk/4', 'sdk/5', 'sdk/11', 'sdk/12', 'sdk/13', 'sdk/30', 'sdk/32', 'undefined/1'];

/** Codes that no tx brings about, and why. */
const UNREACHED: Readonly<Record<string, string>> = {
  'asset/22': "of the asset's keeper, which other modules ask: rights/22, payout/22",
  'asset/23': "of the asset's keeper, which the rights module asks: rights/23",
  'asset/24': "of the asset's keeper, which the rights module asks: rights/24",
  'rights/44': 'who unlocks has locked as much',
  'payout/61': 'the units of a route are locked first, which refuses more than there are',
  'encumbrance/10': 'moves no coins',
  'encumbrance/11': "an exercise passes by the kind's flag",
  'encumbrance/12': 'an exercise passes by the policy',
  'delegation/10': 'moves no coins',
  'delegation/11': 'moves no units',
  'delegation/12': 'moves no units',
  'waterfall/3': 'names nothing by number',
  'waterfall/11': 'moves no units',
  'waterfall/12': 'moves no units',
  'waterfall/13': 'pays the signer alone',
};
const OF_KEEPERS = ['rights/22', 'rights/23', 'rights/24', 'payout/22'];

const TABLES = {
  asset: ASSET_CODES,
  rights: RIGHTS_CODES,
  payout: PAYOUT_CODES,
  settlement: SETTLEMENT_CODES,
  encumbrance: ENCUMBRANCE_CODES,
  attestation: ATTESTATION_CODES,
  delegation: DELEGATION_CODES,
  waterfall: WATERFALL_CODES,
  bridge: BRIDGE_CODES,
};
const CODES = Object.entries(TABLES).flatMap(([codespace, table]) =>
  Object.values(table).map((code) => `${codespace}/${code}`),
);

const REFUSALS = [...CODES, ...OF_KEEPERS, ...OF_THE_ANTE]
  .filter((code) => !(code in UNREACHED))
  .map((code) => `refused ${code}`);

export const WANTED = [...EVENTS, ...MESSAGES, ...TRANSITIONS, ...QUESTS, ...REVERTS, ...REFUSALS];
