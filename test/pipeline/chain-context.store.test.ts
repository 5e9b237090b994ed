import { systemClock } from 'strata-kit/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESCRIPTORS_PATH } from '../../src/chain/capture/format.ts';
import { askChainFacts } from '../../src/chain/facts.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import { RowReader } from '../../src/core/rowbinary.ts';
import { settleContext } from '../../src/pipeline/chain-context.ts';
import { readDescriptorSets, readFacts } from '../../src/store/facts.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { digestOf, indexInto, NO_PARAMETERS, recordedSource, withFreshStore } from '../support/indexing.ts';
import { recordedDigest, recordedHeightDigests } from '../support/recorded-digests.ts';

/** What decoding depends on besides the blocks: asked, kept, asked again, and never changed under a store's rows. */

/** The first txs are at height 32. */
const MIDDLE = 34;
const END = 40;

let recorded: BlockSource;
/** Each height's digest when all are decoded with the chain's own descriptors. */
let expected: readonly string[];

beforeAll(async () => {
  recorded = await recordedSource();
  expected = (await recordedHeightDigests()).slice(0, END);
});
afterAll(() => recorded.close());

async function heightDigests(stores: StoreFactory, above: number): Promise<readonly string[]> {
  const store = await stores.open('heights');
  const rows = new RowReader(
    await store.query(`SELECT hex(digest) FROM height_digests WHERE height > ${above} ORDER BY height`),
  );
  const digests: string[] = [];
  while (!rows.done) digests.push(rows.string());
  await store.close();
  return digests;
}

/** The recorded chain, whose binary is old and knows no message at all until it is upgraded. */
function upgradedChain(): { readonly source: BlockSource; upgrade(): void } {
  let isUpgraded = false;
  const noTypes = Buffer.from('0a020a00', 'hex');
  return {
    upgrade: () => {
      isUpgraded = true;
    },
    source: {
      ...recorded,
      head: async () => ({
        ...(await recorded.head()),
        softwareVersion: isUpgraded ? 'v2' : 'v1',
        latestHeight: isUpgraded ? END : MIDDLE,
      }),
      abciQuery: async (path, data, height) =>
        path === DESCRIPTORS_PATH && !isUpgraded
          ? { code: 0, log: '', height: 1, value: noTypes }
          : recorded.abciQuery(path, data, height),
      waitForHeightAbove: (_height, _timeoutMs, signal) => systemClock.sleep(5, signal),
    },
  };
}

describe('after an upgrade that keeps the app version', () => {
  it(
    'a restart decodes with the newest descriptors',
    () =>
      withFreshStore(async (stores) => {
        const { source, upgrade } = upgradedChain();
        await indexInto(stores, { source, toHeight: MIDDLE });
        expect(await heightDigests(stores, 0)).not.toEqual(expected.slice(0, MIDDLE));
        upgrade();
        await indexInto(stores, { source, toHeight: END });
        expect(await heightDigests(stores, MIDDLE)).toEqual(expected.slice(MIDDLE));
        const store = await stores.open('sets');
        const sets = await readDescriptorSets(store);
        await store.close();
        expect(sets.map(({ firstHeight, bytes }) => [firstHeight, bytes.length])).toEqual([
          [1, 4],
          [MIDDLE + 1, 764_043],
        ]);
      }),
    60_000,
  );

  it(
    'a run that goes on asks for the newest descriptors before the next block',
    () =>
      withFreshStore(async (stores) => {
        const { source, upgrade } = upgradedChain();
        const warnings: string[] = [];
        await indexInto(stores, {
          source,
          toHeight: END,
          warnings,
          onCommit: ({ height }) => {
            if (height === MIDDLE) upgrade();
          },
        });
        expect(await heightDigests(stores, MIDDLE)).toEqual(expected.slice(MIDDLE));
        expect(warnings).toEqual([]);
      }),
    60_000,
  );
});

describe('a chain before its first block', () => {
  it('is waited for, since it answers nothing yet', async () => {
    let heads = 0;
    const young: BlockSource = {
      ...recorded,
      head: async () => {
        const head = await recorded.head();
        return ++heads <= 2 ? { ...head, earliestHeight: 0, latestHeight: 0 } : head;
      },
      abciQuery: async (path, data, height) =>
        heads <= 2
          ? { code: 18, log: 'not ready', height: 0, value: new Uint8Array() }
          : recorded.abciQuery(path, data, height),
      waitForHeightAbove: (_height, _timeoutMs, signal) => systemClock.sleep(5, signal),
    };
    const infos: string[] = [];
    await withFreshStore(async (stores) => {
      await indexInto(stores, { source: young, toHeight: END, infos });
      expect(await heightDigests(stores, 0)).toEqual(expected);
    });
    expect(infos).toContain('the chain has no block yet: waiting for its first');
  });
});

describe('a chain that does not describe itself', () => {
  const undescribed = (): BlockSource => ({
    ...recorded,
    abciQuery: async (path, data, height) =>
      path === DESCRIPTORS_PATH ? unanswered : recorded.abciQuery(path, data, height),
  });

  async function ownDescriptors(): Promise<Uint8Array> {
    return (await recorded.abciQuery(DESCRIPTORS_PATH, new Uint8Array())).value;
  }

  it(
    'is decoded with the sets that are given, and later with those that the store keeps',
    () =>
      withFreshStore(async (stores) => {
        const source = undescribed();
        await indexInto(stores, { source, toHeight: MIDDLE, givenDescriptors: [await ownDescriptors()] });
        await indexInto(stores, { source, toHeight: END });
        expect(await heightDigests(stores, 0)).toEqual(expected);
      }),
    60_000,
  );

  it(
    'is decoded with its own from the upgrade on that describes it, in the same run',
    () =>
      withFreshStore(async (stores) => {
        const { source, upgrade } = upgradedChain();
        let isUpgraded = false;
        await indexInto(stores, {
          source: {
            ...source,
            abciQuery: async (path, data, height) =>
              path === DESCRIPTORS_PATH && !isUpgraded ? unanswered : source.abciQuery(path, data, height),
          },
          toHeight: END,
          givenDescriptors: [fileOf('cosmos.evm.vm.v1', 'MsgEthereumTx')],
          onCommit: ({ height }) => {
            if (height !== MIDDLE) return;
            isUpgraded = true;
            upgrade();
          },
        });
        expect(await heightDigests(stores, MIDDLE)).toEqual(expected.slice(MIDDLE));
      }),
    60_000,
  );

  it(
    'is believed before what is given, once it does',
    () =>
      withFreshStore(async (stores) => {
        // without its fields
        const wrong = fileOf('cosmos.evm.vm.v1', 'MsgEthereumTx');
        await indexInto(stores, { source: recorded, toHeight: END, givenDescriptors: [wrong] });
        expect(await heightDigests(stores, 0)).toEqual(expected);
        await indexInto(stores, { source: undescribed(), toHeight: END + 10 });
        expect((await heightDigests(stores, 0)).slice(0, END)).toEqual(expected);
      }),
    60_000,
  );
});

/** A FileDescriptorSet of one file with one message that has no fields. */
function fileOf(packageName: string, message: string): Uint8Array {
  const field = (number: number, bytes: Uint8Array): Uint8Array =>
    Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
  const file = [field(2, Buffer.from(packageName)), field(4, field(1, Buffer.from(message)))];
  return field(1, Buffer.concat(file));
}

const unanswered = { code: 6, log: 'unknown query path', height: 0, value: new Uint8Array() };

/** The denoms of EVM values in the store. */
async function valueDenoms(stores: StoreFactory): Promise<readonly string[]> {
  const store = await stores.open('values');
  const rows = new RowReader(
    await store.query("SELECT DISTINCT JSONExtractString(arrayJoin(evm), 'value', 'denom') FROM txs"),
  );
  const denoms: string[] = [];
  while (!rows.done) denoms.push(rows.string());
  await store.close();
  return denoms;
}

describe('a chain that does not report its prefix and denom', () => {
  it(
    'is read with those of its own blocks, which are the right ones, and says so once for each',
    () =>
      withFreshStore(async (stores) => {
        const silent: BlockSource = {
          ...recorded,
          genesis: undefined,
          abciQuery: async (path, data, height) =>
            /Bech32Prefix|evm/.test(path) ? unanswered : recorded.abciQuery(path, data, height),
        };
        const infos: string[] = [];
        await indexInto(stores, { source: silent, toHeight: END, infos });
        expect(infos.filter((text) => text.includes('does not report'))).toEqual([
          expect.stringMatching(
            /denom of its EVM's amounts: atest is taken, from the fees of \d+ Ethereum txs/,
          ),
        ]);
        expect(await heightDigests(stores, 0)).toEqual(expected);
        expect(await valueDenoms(stores)).toEqual(['atest']);
        const facts = await factsOf(stores);
        expect([facts.get('hrp'), facts.get('evm_denom')]).toEqual(['cosmos', 'atest']);
      }),
    60_000,
  );
});

describe('a chain with 6 decimals in the bank', () => {
  it(
    'has EVM values in the denom that it calls extended',
    () =>
      withFreshStore(async (stores) => {
        const sixDecimals: BlockSource = {
          ...recorded,
          abciQuery: async (path, data, height) => {
            const answer = await recorded.abciQuery(path, data, height);
            if (path !== '/cosmos.evm.vm.v1.Query/Config') return answer;
            // decimals = 26: 18 becomes 6; its parameters name the extended denom aatom
            const value = Buffer.from(answer.value);
            value[value.indexOf(Buffer.from([0xd0, 0x01, 18])) + 2] = 6;
            return { ...answer, value };
          },
        };
        await indexInto(stores, { source: sixDecimals, toHeight: END });
        expect(await valueDenoms(stores)).toEqual(['aatom']);
        // blocks decoded with one denom are never mixed with another's
        await expect(indexInto(stores, { source: recorded, toHeight: END + 1 })).rejects.toMatchObject({
          code: 'config_invalid',
          message: expect.stringMatching(/evm_denom aatom.* atest .*set chain\.evm_denom/),
        });
      }),
    60_000,
  );
});

async function factsOf(stores: StoreFactory): Promise<ReadonlyMap<string, string>> {
  const store = await stores.open('facts of a test');
  const facts = await readFacts(store);
  await store.close();
  return facts;
}

describe('a store with blocks', () => {
  it(
    'refuses another prefix, namespace, gas denom or list of Ethereum messages, naming both',
    () =>
      withFreshStore(async (stores) => {
        const given = { hrp: 'other', gasDenom: 'aother' };
        await indexInto(stores, { toHeight: 10, parameters: given });
        const refused = (message: RegExp) => ({
          code: 'config_invalid',
          message: expect.stringMatching(message),
        });
        await expect(
          indexInto(stores, { toHeight: 20, parameters: { ...given, hrp: 'third' } }),
        ).rejects.toMatchObject(refused(/hrp other.* third/));

        const log = { info: () => undefined, warn: () => undefined };
        const told = await askChainFacts(recorded, log);
        const store = await stores.open('settle');
        const settle = (changed: object) =>
          settleContext(
            store,
            stores.spoolFolder,
            {
              chainId: '9001',
              told,
              configured: { ...NO_PARAMETERS, ...given, ...changed },
              height: 11,
              hasBlocks: true,
            },
            { source: recorded, log, fromHeight: 11, latestHeight: 500 },
          );
        for (const [changed, message] of [
          [{ hrp: undefined }, /hrp other.* cosmos/],
          [{ namespace: 'acme' }, /namespace aeva.* acme/],
          [{ gasDenom: 'athird' }, /evm_denom aother.* athird/],
          [{ ethereumTypeUrls: ['/my.MsgEthereumTx'] }, /ethermint.* \["\/my\.MsgEthereumTx"\]/],
        ] as const)
          await expect(settle(changed)).rejects.toMatchObject(refused(message));
        await store.close();
        await indexInto(stores, { toHeight: 20, parameters: given });
      }),
    60_000,
  );

  it('keeps the module accounts that it was made with', async () => {
    // are sent coins between the two heights, and have no other part in a tx
    const moduleAccounts = [
      'cosmos13n5prr9txhcr5khnmzs3v0kn5yfx9h59vdg58j',
      'cosmos189uxlh836n9rgj98hg23m7qqx03w38dnep5e7g',
      'cosmos10k35c3xveckdmex0j0f0aekrfrjmx7vntz8rhc',
    ];
    const parameters = { moduleAccounts };
    const kept = await digestOf({ toHeight: 29, parameters }, { toHeight: 80 });
    expect(kept).toEqual(await digestOf({ toHeight: 80, parameters }));
    expect(kept).not.toEqual(await recordedDigest(80));
  });
});
