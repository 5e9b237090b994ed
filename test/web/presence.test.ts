import { describe, expect, it } from 'vitest';
import { presenceIn } from '../../web/src/text/sentences/presence.ts';
import type { SentenceTx } from '../../web/src/text/sentences/txs.ts';

const ID = '4729'.padEnd(64, 'a');
const OTHER = '4729'.padEnd(64, 'b');
const TRANSFER = { '@type': '/aeva.rights.v1.MsgTransfer', asset_id: ID };
const CREATE = { '@type': '/aeva.asset.v1.MsgCreateAsset' };

function failed(raw_log: string, ...msgs: SentenceTx['msgs']): SentenceTx {
  return { code: 5, raw_log, msgs, evm: null, events: [] };
}

describe('whether an asset that a tx names is on the chain', () => {
  it('it is where the tx was done', () => {
    expect(presenceIn({ ...failed('', TRANSFER), code: 0 })(ID)).toBe('there');
  });

  it.each([
    [`failed to execute message; message index: 0: policy denied: asset/${ID}/kind/0/CLOSED/sender`, 'there'],
    [`failed to execute message; message index: 0: issuance of asset ${ID} is locked`, 'there'],
    [`failed to execute message; message index: 0: no asset ${ID}`, 'missing'],
    [`failed to execute message; message index: 0: unknown asset ${ID}`, 'missing'],
    ['units must be in 1 to 2^255 - 1: 0', 'unsure'],
    ['', 'unsure'],
  ] as const)('after the reason %s it is %s', (reason, presence) => {
    expect(presenceIn(failed(reason, TRANSFER))(ID)).toBe(presence);
    expect(presenceIn(failed(reason, TRANSFER))(OTHER)).toBe('unsure');
    // a revert of the EVM is told elsewhere
    const evm = { status: 0, revert_reason: reason };
    expect(presenceIn({ ...failed('', TRANSFER), code: 0, evm })(ID)).toBe(presence);
  });

  it('what is said of an asset that the same tx was to create is undone with it', () => {
    const reason = `failed to execute message; message index: 2: policy denied: asset/${ID}/kind/0/CLOSED/sender`;
    expect(presenceIn(failed(reason, CREATE, TRANSFER))(ID)).toBe('unsure');
  });
});
