import type { Message } from '../wallet/json.ts';

/** Messages that several pages sign. */

export function claimMessage(
  namespace: string,
  claimant: string,
  entry: {
    readonly asset_id: string;
    readonly kind_id: number;
    readonly denom: string;
    readonly ref: string;
  },
): Message {
  const { asset_id, kind_id, denom, ref } = entry;
  return { '@type': `/${namespace}.payout.v1.MsgClaim`, claimant, asset_id, kind_id, denom, ref };
}

export function acceptMessage(namespace: string, counterparty: string, id: number | string): Message {
  return { '@type': `/${namespace}.settlement.v1.MsgAccept`, counterparty, id: String(id) };
}

export function cancelMessage(namespace: string, actor: string, id: number | string): Message {
  return { '@type': `/${namespace}.settlement.v1.MsgCancel`, actor, id: String(id) };
}
