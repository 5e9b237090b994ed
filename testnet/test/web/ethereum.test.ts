import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { bech32Of } from '../../web/src/text/addresses.ts';
import { ETHEREUM_CALLS } from '../../web/src/text/ethereum-calls.ts';
import { ethereumInput } from '../../web/src/text/ethereum-input.ts';
import { plain } from '../../web/src/text/sentences/sentence.ts';
import { txWords } from '../../web/src/text/sentences/txs.ts';

/** Bytes of txs of the reference chain, as /v1/txs tells them; the signature of the first is made up. */
const LEGACY_TRANSFER =
  '+K2CAtCEO5rKAIMHoSCU8VDBWahmpzp2sQ51+I/4S4BaHkuAuESpBZy7AAAAAAAAAAAAAAAAQN4A1T1s44p15iH5opC3IlHb28AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA9CQIJHUaBe3a8dPVGtgCIZ3QyUHoOc3rc9rmOh+xYstJ0DV5Wu0KBe3a8dPVGtgCIZ3QyUHoOc3rc9rmOh+xYstJ0DV5Wu0A==';
const DYNAMIC_COIN =
  'AvhvgiOXggHGhDuaygCEO5rKAIMHoSCUQN4A1T1s44p15iH5opC3IlHb28ABgMABoDNhOcylqeZRsteegp1IQQ1Zxy5Fl+cZMdBLqwHqEsGSoFRIZsHqXTxcamu2aYcEg26cG9KM9qZCZ3XydONMni5i';
const ACCESS_LIST_CALL =
  'AfivgiOXggIHhDuaygCDB6EglL+GW3IZi53TIv9lcx6IPXS2i3aFgLhECV6nswAAAAAAAAAAAAAAACXqvdMPo2Fb8im6QnejdtsazTPdAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwnAAaAcY7FH5u1/u6nafn9CVJ2rPy1XraOT6PfxL277hvCIJ6B4t+E0PtfbF/yIGssagcaYnJkf4PID9nOqZb9H/ZOR5g==';

const FROM = '0x45489100000000000000000000000000000000ab';
const TO = '0xF150C159A866A73a76B10e75f88fF84B805A1e4b';

function words(raw: string, evm: object, events: readonly object[] = []) {
  const view = {
    from: FROM,
    to: TO,
    value: { denom: 'aaeva', amount: '0' },
    status: 1,
    revert_reason: null,
    ...evm,
  };
  return txWords({
    code: 0,
    msgs: [{ '@type': '/cosmos.evm.vm.v1.MsgEthereumTx', raw }],
    evm: view,
    events: events.map((decoded) => ({
      type: 'aeva.rights.v1.EventTransferred',
      msg_index: 0,
      decoded,
      attributes: [],
    })),
  });
}

describe('Ethereum txs in words', () => {
  it('knows calls by the hash of their signature', () => {
    for (const [selector, { signature }] of Object.entries(ETHEREUM_CALLS))
      expect(`${signature} ${bytesToHex(keccak_256(utf8ToBytes(signature))).slice(0, 8)}`).toBe(
        `${signature} ${selector}`,
      );
  });

  it('finds the input of every type of tx, in base64 and in hex', () => {
    expect(ethereumInput(LEGACY_TRANSFER)?.slice(0, 8)).toBe('a9059cbb');
    expect(ethereumInput(ACCESS_LIST_CALL)?.slice(0, 8)).toBe('095ea7b3');
    expect(ethereumInput(ACCESS_LIST_CALL)).toHaveLength(2 * 68);
    expect(ethereumInput(DYNAMIC_COIN)).toBe('');
    expect(ethereumInput(`0x${Buffer.from(LEGACY_TRANSFER, 'base64').toString('hex')}`)).toBe(
      ethereumInput(LEGACY_TRANSFER),
    );
  });

  it('finds none in what is no tx', () => {
    for (const raw of ['', '0x', '0xc0', '0xff', '0x05c0', '%', 'AvhvgiOX', '0xf8ff00'])
      expect(ethereumInput(raw)).toBeUndefined();
  });

  it('says what a call moved: units by its events, tokens by its input, coins by its value', () => {
    const moved = { asset_id: 'ab'.repeat(32), kind_id: 0, from: 'a', to: 'aeva1ben', units: '1000000' };
    expect(plain(words(LEGACY_TRANSFER, {}, [moved]).sentence)).toBe(
      `${FROM} transferred 1000000 base units of kind 0 of ${'ab'.repeat(32)} to aeva1ben`,
    );
    expect(plain(words(LEGACY_TRANSFER, {}, [moved, moved]).inShort)).toContain(
      `of ${'ab'.repeat(32)}, with units of 1 more kind, to aeva1ben`,
    );
    expect(plain(words(LEGACY_TRANSFER, {}).sentence)).toBe(
      `${FROM} transferred 1000000 base units of the token ${TO} to 0x40de00d53d6ce38a75e621f9a290b72251dbdbc0`,
    );
    expect(plain(words(DYNAMIC_COIN, { value: { denom: 'aaeva', amount: '1' } }).sentence)).toBe(
      `${FROM} sent 1 aaeva to ${TO}`,
    );
    expect(plain(words(ACCESS_LIST_CALL, {}).sentence)).toBe(
      `${FROM} allowed 0x25eabdd30fa3615bf229ba4277a376db1acd33dd to spend tokens, at ${TO}`,
    );
    expect(plain(words('', { to: null }).sentence)).toBe(`${FROM} created a contract`);
  });

  it('says of a revert what was tried and why it failed', () => {
    const { sentence, reason } = words(LEGACY_TRANSFER, {
      status: 0,
      revert_reason: `policy denied: asset/${'ab'.repeat(32)}/kind/0/CLOSED/sender`,
    });
    expect(plain(sentence)).toContain('tried to transfer 1000000 base units');
    expect(plain(reason ?? [])).toBe(
      `the policy of ${'ab'.repeat(32)} lets only the issuer give, and the sender is not the issuer`,
    );
  });

  it('writes an EVM account as the API names it', () => {
    expect(bech32Of('0x5b7eA099369707e9235ff9bC1751e57Edb3C014D', 'aeva')).toBe(
      'aeva1tdl2pxfkjur7jg6llx7pw5090mdncq2dhxpkga',
    );
    expect(bech32Of('aeva1tdl2', 'aeva')).toBeUndefined();
  });
});
