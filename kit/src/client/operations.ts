/**
 * What `strata tx` can send: each message of the modules and the bank's send, by group and operation (api.md, section
 * "Chain operations"). Fields that are not named as arguments are options, but for the signer's.
 */
export interface Operation {
  readonly group: string;
  readonly name: string;
  /** With `<ns>` for the namespace. */
  readonly typeUrl: string;
  readonly summary: string;
  /** Fields, in the order of the words; a trailing `?` may be left out. */
  readonly words: readonly string[];
  /** What stands in for fields: options that the message itself has not. */
  readonly extra?: 'kinds' | 'legs';
}

type Row = readonly [name: string, message: string, words: string, summary: string, extra?: 'kinds' | 'legs'];

const MODULES: Readonly<Record<string, readonly Row[]>> = {
  asset: [
    [
      'create-asset',
      'CreateAsset',
      'kinds settlement_denom meta_hash?',
      'create an asset; the signer is its issuer',
      'kinds',
    ],
    ['lock-issuance', 'LockIssuance', 'asset_id', 'end issuance for good'],
    ['set-policy', 'SetPolicy', 'asset_id policy?', "set the asset's policy, or a kind's override of it"],
    ['set-roles', 'SetRoles', 'asset_id roles', 'say who operates and who releases'],
    [
      'update-kind',
      'UpdateKind',
      'asset_id kind_id transferable multiplier bridgeable',
      'change what may be done with a kind',
    ],
    [
      'update-asset',
      'UpdateAsset',
      'asset_id liens_allowed distribution_denoms?',
      'change liens and what may be distributed',
    ],
  ],
  rights: [
    ['issue', 'Issue', 'asset_id kind_id recipient units', 'issue units of a kind'],
    ['transfer', 'Transfer', 'asset_id kind_id to units', 'move units'],
    ['redeem', 'Redeem', 'asset_id kind_id units', 'burn units of a REDEMPTION kind'],
  ],
  payout: [
    ['distribute', 'Distribute', 'asset_id kind_id amount', 'pay income to the holders of a kind'],
    ['claim', 'Claim', 'asset_id kind_id denom ref?', 'take income, own or routed'],
  ],
  settlement: [
    ['propose', 'Propose', 'counterparty expiry', 'propose an exchange in one block', 'legs'],
    ['accept', 'Accept', 'id', 'accept a pending settlement'],
    ['cancel', 'Cancel', 'id', 'cancel a pending settlement, as either party'],
  ],
  encumbrance: [
    ['create', 'Create', 'kind asset_id kind_id holder units', 'pledge, lien or lock up units'],
    ['release', 'Release', 'id units?', 'let go of all units, or of some'],
    ['exercise', 'Exercise', 'id', 'take the units, as the beneficiary'],
  ],
  attestation: [
    ['attest', 'Attest', 'subject type expiry', 'attest something of an account'],
    ['revoke', 'Revoke', 'subject type', 'take an attestation back'],
  ],
  delegation: [
    [
      'delegate',
      'Delegate',
      'asset_id kind_id units delegate until purposes',
      'lend the use of units until a time',
    ],
    ['revoke', 'Revoke', 'id', 'end a revocable delegation, as the holder'],
    ['return', 'Return', 'id', 'end a delegation, as the delegate'],
  ],
  waterfall: [
    ['set-waterfall', 'SetWaterfall', 'asset_id tiers', 'say who is paid before whom'],
    ['begin-liquidation', 'BeginLiquidation', 'asset_id denom?', 'begin to liquidate an asset'],
    ['fund', 'Fund', 'asset_id amount', 'pay into a liquidation'],
    ['redeem-pool', 'RedeemPool', 'asset_id kind_id units', 'burn units for a part of their pool'],
    ['close-liquidation', 'CloseLiquidation', 'asset_id', 'end a liquidation, as the issuer'],
  ],
  bridge: [
    ['create-route', 'CreateRoute', 'route_id direction', 'open a route, as the bridge authority'],
    ['set-route-status', 'SetRouteStatus', 'route_id status', 'pause or resume a route'],
    [
      'set-limits',
      'SetLimits',
      'route_id outbound_limit inbound_limit window_seconds',
      "set a route's limits of a window",
    ],
    ['transfer-out', 'TransferOut', 'route_id recipient amount', 'send over a route'],
    [
      'receive-in',
      'ReceiveIn',
      'route_id sender recipient amount message_id',
      'deliver what came in, as the relayer',
    ],
  ],
};

export const OPERATIONS: readonly Operation[] = [
  ...Object.entries(MODULES).flatMap(([group, rows]) =>
    rows.map(([name, message, words, summary, extra]) => ({
      group,
      name,
      typeUrl: `/<ns>.${group}.v1.Msg${message}`,
      summary,
      words: words.split(' '),
      ...(extra === undefined ? {} : { extra }),
    })),
  ),
  {
    group: 'bank',
    name: 'send',
    typeUrl: '/cosmos.bank.v1beta1.MsgSend',
    summary: 'send coins',
    words: ['to_address', 'amount'],
  },
];
