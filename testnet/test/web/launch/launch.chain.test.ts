import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { txBytes } from 'strata-kit/client/sign-direct';
import type { JsonObject } from 'strata-kit/proto-json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inclusionOf } from '../../../../test/support/inclusion.ts';
import {
  documentErrors,
  documentOf,
  logoError,
  logoSizeError,
  marked,
  refusedOf,
} from '../../../web/src/pages/launch/document.ts';
import { forgetDraft, keepDraft, readDraft, type Storage } from '../../../web/src/pages/launch/kept-draft.ts';
import {
  couponDays,
  couponsError,
  type Draft,
  EMPTY_DRAFT,
  kindsOf,
  launchMessages,
  TEMPLATES,
} from '../../../web/src/pages/launch/plan.ts';
import { assetIdOf } from '../../../web/src/wallet/asset-id.ts';
import { burnerWallet } from '../../../web/src/wallet/burner.ts';
import { burnerKeyOf } from '../../../web/src/wallet/burner-key.ts';
import { openChainTypes } from '../../../web/src/wallet/chain-types.ts';
import { prepareTx, queryChain } from '../../../web/src/wallet/prepare.ts';
import { type DevnetChain, FAUCET, openDevnetChain } from '../../app/support/devnet-chain.ts';

const TODAY = '2026-11-22';
/** Less than a test has. */
const PATIENCE_MS = 45_000;

describe('the kinds of a template', () => {
  it('are those that it stands for', () => {
    const classes = (template: (typeof TEMPLATES)[number]) =>
      kindsOf({ template, coupons: ['2027-01-31', '2027-07-31'] }, TODAY).map((kind) => kind.class);
    expect(TEMPLATES.map(classes)).toEqual([
      ['ECONOMIC'],
      ['ECONOMIC', 'INCOME'],
      ['ECONOMIC', 'INCOME', 'VOTE'],
      ['REDEMPTION', 'INCOME', 'INCOME'],
    ]);
  });

  it('of a bond have terms that follow each other', () => {
    const terms = kindsOf({ template: 'bond', coupons: ['2027-01-31', '2027-07-31'] }, TODAY).map(
      ({ term }) => term,
    );
    expect(terms).toEqual([
      undefined,
      { starts_at: '2026-11-22T00:00:00Z', ends_at: '2027-01-31T00:00:00Z' },
      { starts_at: '2027-01-31T00:00:00Z', ends_at: '2027-07-31T00:00:00Z' },
    ]);
  });
});

describe('coupons', () => {
  it('are days after today, one after another', () => {
    expect(couponsError(['2026-11-23'], TODAY)).toBeUndefined();
    for (const wrong of [
      [],
      ['2026-11-22'],
      ['2027-02-30'],
      ['soon'],
      ['2027-02-01', '2027-02-01'],
      ['2027-02-01', '2027-01-01'],
      Array.from({ length: 13 }, (_, i) => `${2027 + i}-01-01`),
    ]) {
      expect(couponsError(wrong, TODAY), wrong.join()).toBeDefined();
    }
  });

  it('of a month without the day fall on its last', () => {
    expect(couponDays('2026-11-30', 4, 3)).toEqual(['2027-02-28', '2027-05-30', '2027-08-30', '2027-11-30']);
    expect(couponsError(couponDays('2026-12-31', 12, 1), '2026-12-31')).toBeUndefined();
  });
});

describe('a document', () => {
  const draft = { ...EMPTY_DRAFT, name: '  Pear tree\u0301e ', symbol: 'PEAR', description: 'a\r\nb ' };
  it('is posted without what the launchpad would refuse for its ends and form', () => {
    expect(documentOf(draft)).toEqual({
      name: 'Pear treée',
      symbol: 'PEAR',
      description: 'a\nb',
      template: 'community',
    });
  });

  it('has its limits said by field', () => {
    expect(documentErrors(draft)).toEqual({ name: undefined, symbol: undefined, description: undefined });
    const wrong = documentErrors({ ...draft, name: ' ', symbol: 'pear', description: 'x'.repeat(4_001) });
    expect(wrong).toEqual({
      name: expect.stringContaining('name'),
      symbol: expect.stringContaining('A–Z'),
      description: expect.stringContaining('4001'),
    });
    expect(documentErrors({ ...draft, name: '🍐'.repeat(64) }).name).toBeUndefined();
    expect(documentErrors({ ...draft, name: '🍐'.repeat(65) }).name).toContain('65');
  });

  it('has a logo that is a PNG of a bounded size', () => {
    const png = (width: number, height: number) => {
      const bytes = Buffer.alloc(64);
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(bytes);
      bytes.writeUInt32BE(width, 16);
      bytes.writeUInt32BE(height, 20);
      // what every PNG begins with
      Buffer.from('0000000d49484452', 'hex').copy(bytes, 8);
      return bytes;
    };
    expect(logoError(png(1_024, 1))).toBeUndefined();
    expect(logoError(png(1_025, 1))).toContain('1025');
    expect(logoError(png(0, 1))).toBeDefined();
    expect(logoError(Buffer.from('GIF89a and some more bytes, enough of them'))).toContain('PNG');
    expect(logoError(png(1, 1).fill(0, 8, 16))).toBe('This is no PNG image.');
  });

  it('tells how large a logo is, however large, without reading it', () => {
    expect(logoSizeError(256 * 1024)).toBeUndefined();
    expect(logoSizeError(256 * 1024 + 1)).toBe(
      'The file has 262,145 bytes; at most 262,144 (256 KiB) are allowed.',
    );
    // what was read of it was a MiB, and told as its size
    expect(logoSizeError(5_000_000)).toContain('5,000,000 bytes');
    expect(logoError(Buffer.alloc(256 * 1024 + 1))).toContain('262,145 bytes');
  });

  it('that is refused shows the words where they stand', () => {
    const { field, words } = refusedOf('description promises a reward: "Guaranteed returns", “airdrop”');
    expect(field).toBe('description');
    expect(words).toEqual(['Guaranteed returns', 'airdrop']);
    expect(marked('An AIRDROP (guaranteed returns).', words)).toEqual([
      { text: 'An ', isMarked: false },
      { text: 'AIRDROP', isMarked: true },
      { text: ' (', isMarked: false },
      { text: 'guaranteed returns', isMarked: true },
      { text: ').', isMarked: false },
    ]);
    expect(marked('a+b', ['+'])).toHaveLength(3);
    expect(marked('text', [])).toEqual([{ text: 'text', isMarked: false }]);
  });
});

describe('a draft', () => {
  const place = (): Storage & { readonly held: Map<string, string> } => {
    const held = new Map<string, string>();
    return {
      held,
      getItem: (name) => held.get(name) ?? null,
      setItem: (name, value) => void held.set(name, value),
      removeItem: (name) => void held.delete(name),
    };
  };
  const typed: Draft = {
    ...{ template: 'bond', name: 'Bakery', symbol: 'BAKE', description: 'Bread.\nCakes.', logo: 'AAAA' },
    ...{ supply: '1,500', recipient: 'aeva1x', coupons: ['2027-01-31', '2027-07-31'] },
  };

  it('and its template are there again after a reload of the page', () => {
    const storage = place();
    keepDraft(storage, typed, EMPTY_DRAFT);
    expect(readDraft(storage)).toEqual(typed);
    keepDraft(storage, { ...typed, logo: undefined }, typed);
    expect(readDraft(storage)).toEqual({ ...typed, logo: undefined });
    forgetDraft(storage);
    expect(readDraft(storage)).toEqual(EMPTY_DRAFT);
    expect(storage.held.size).toBe(0);
  });

  it('writes its logo once, not with every key', () => {
    const written: string[] = [];
    const storage = { ...place(), setItem: (name: string) => void written.push(name) };
    keepDraft(storage, typed, EMPTY_DRAFT);
    keepDraft(storage, { ...typed, name: 'Bakery 2' }, typed);
    expect(written).toEqual(['strata.launch', 'strata.launch.logo', 'strata.launch']);
  });

  it('is the empty one where what is kept cannot be read', () => {
    for (const text of ['{', 'null', '7', '{}', '{"template":"coin","coupons":[]}', '{"template":"bond"}']) {
      const storage = place();
      storage.setItem('strata.launch', text);
      expect(readDraft(storage), text).toEqual(EMPTY_DRAFT);
    }
    const storage = place();
    storage.setItem('strata.launch', '{"template":"bond","coupons":[1,"2027-01-31"],"name":7}');
    storage.setItem('strata.launch.logo', 'no base64');
    expect(readDraft(storage)).toEqual({ ...EMPTY_DRAFT, template: 'bond', coupons: ['', '2027-01-31'] });
  });
});

describe('a launch on a real chain', () => {
  const types = openChainTypes(
    readFileSync(join(import.meta.dirname, '../../../../kit/descriptors.binpb')),
    'aeva',
  );
  let chain: DevnetChain;
  beforeAll(async () => {
    // a block when there is a tx: by the clock, a busy machine would pass a tx's timeout height before it is sent
    chain = await openDevnetChain({ blockTimeMs: 0 });
    await chain.devnet.start();
  });
  afterAll(() => chain.close());

  it.each(TEMPLATES.map((template, nonce) => ({ template, nonce })))(
    '$template: one tx makes the asset with the id that was foretold, its units, and the end of issuance',
    async ({ template, nonce }) => {
      const { node, facts, query } = chain.chain;
      const key = burnerKeyOf(Buffer.from(FAUCET.privateKey).toString('hex'));
      if (key === undefined) throw new Error('no key');
      const wallet = burnerWallet(key, 'aeva');
      const access = { query: node.query };
      const told = await queryChain(types, access, '/aeva.asset.v1.Query/NextNonce', {
        issuer: wallet.address,
      });
      expect(told.next_nonce).toBe(String(nonce));
      const assetId = assetIdOf('aeva', key.account, BigInt(String(told.next_nonce)));
      // the widest that the wizard makes
      const kinds = kindsOf({ template, coupons: couponDays(TODAY, 12, 3) }, TODAY);
      const messages = launchMessages({
        namespace: 'aeva',
        issuer: wallet.address,
        recipient: wallet.address,
        stableDenom: facts.stableDenom,
        metaHash: Buffer.alloc(32, 1).toString('base64'),
        assetId,
        kinds,
        units: 1_000_000_000n,
      });
      const { address, publicKey } = wallet;
      const { chainId, gasDenom, minGasPrice } = facts;
      const prepared = await prepareTx(types, access, messages, {
        address,
        publicKey,
        chainId,
        gasDenom,
        minGasPrice,
      });
      const signed = await wallet.sign(prepared.document);
      const tx = txBytes(signed, [signed.signature]);
      // what `GET /api/chain/query` lets through (testnet/src/access/query.ts)
      expect(tx.length).toBeLessThan(6_000);
      const { hash } = await node.broadcast(tx);
      expect(await inclusionOf(node, hash, PATIENCE_MS)).toMatchObject({ code: 0, log: '' });
      const { asset } = await query('/aeva.asset.v1.Query/Asset', { asset_id: assetId });
      expect(asset).toMatchObject({
        issuance_locked: true,
        issuer: wallet.address,
        kinds: kinds.map((kind) => ({
          class: `KIND_CLASS_${kind.class}`,
          decimals: 6,
          bundle: true,
          transferable: true,
          bridgeable: false,
        })),
      });
      const last = kinds.length - 1;
      const { position } = (await query('/aeva.rights.v1.Query/Position', {
        asset_id: assetId,
        kind_id: last,
        holder: wallet.address,
      })) as { position: JsonObject };
      expect(position.units).toBe('1000000000');
    },
  );
});
