import { describe, expect, it } from 'vitest';
import { namedIn } from '../../web/src/data/named.ts';

const A = 'aa'.repeat(32);
const B = 'bb'.repeat(32);

describe('what an answer names', () => {
  it('are assets and documents wherever they stand in it, each once', () => {
    const answer = {
      asset_id: A,
      legs: [{ asset_id: B }, { asset_id: A }, { asset_id: '' }, { asset_id: 7 }],
      settlement: { asset_ids: [B], nested: [{ meta_hash: B }, { meta_hash: '' }] },
      hash: A,
      none: null,
    };
    expect(namedIn(answer)).toEqual({
      assets: new Map([
        [A, 'there'],
        [B, 'there'],
      ]),
      routes: [],
      metaHashes: [B],
    });
  });

  it('are routes of messages and events, not those that a list of routes tells of itself', () => {
    const answer = {
      routes: [{ route_id: 'told' }],
      txs: [{ msgs: [{ '@type': '/aeva.bridge.v1.MsgSend', route_id: 'native-1' }] }],
      events: [{ decoded: { inner: { route_id: 'native-2' } } }, { decoded: { route_id: 'not a route' } }],
    };
    expect(namedIn(answer).routes).toEqual(['native-1', 'native-2']);
  });

  it('may not be there where a failed tx names them, unless something else does', () => {
    const msgs = [{ '@type': '/aeva.asset.v1.MsgTransferPosition', asset_id: A }];
    const failed = { code: 5, raw_log: `no asset ${A}`, msgs, evm: null, events: [] };
    expect(namedIn([failed]).assets).toEqual(new Map([[A, 'missing']]));
    expect(namedIn([{ ...failed, raw_log: 'out of gas' }]).assets).toEqual(new Map([[A, 'unsure']]));
    expect(namedIn([failed, { asset_id: A }]).assets).toEqual(new Map([[A, 'there']]));
  });

  it('are at most as many as a page shows, from its beginning', () => {
    const ids = Array.from({ length: 100 }, (_, at) => at.toString(16).padStart(64, '0'));
    expect([...namedIn(ids.map((id) => ({ asset_id: id }))).assets.keys()]).toEqual(ids.slice(0, 60));
  });
});
