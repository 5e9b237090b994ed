import { accountBytes, encodeBech32, isZeroBytes } from 'strata-kit/address';
import { bytesToHex, hexToBytes } from 'strata-kit/bytes';
import type { BlockAt, Derivation } from '../../derive/derivation.ts';
import { assetDerivation } from '../asset/derivation.ts';
import { dexDerivation } from '../dex/derivation.ts';
import { rightsDerivation } from '../rights/derivation.ts';
import { settlementDerivation } from '../settlement/derivation.ts';
import { QUESTS } from './quests.ts';
import { DONE_BY_ACCOUNT, QUEST_COMPLETIONS, QUEST_STANDINGS } from './tables.ts';

const ACCOUNT_BYTES = 20;
const NO_BYTES = new Uint8Array(0);

/** Who has completed which quest first where (modules.md rule 14). Pools of the factory complete none. */
export const questsDerivation: Derivation = {
  module: 'quests',
  tables: [QUEST_COMPLETIONS, QUEST_STANDINGS],
  reads: ['asset', 'rights', 'settlement', 'dex'],
  dependsOn: ['evm_factory', 'evm_lending_market', 'faucet'],
  open(setup) {
    const { hrp } = setup.parameters;
    const completions = setup.table(QUEST_COMPLETIONS);
    const standings = setup.table(QUEST_STANDINGS);
    /** By account, bits of the quests that it has completed. */
    const done = new Map<string, number>();
    /** Of this block: what they had completed before it. */
    const before = new Map<string, number>();

    const dex = setup.stateOf(dexDerivation);
    /** Asked at the block's end: a pair is known once the block's logs were seen, which is after its events. */
    const isPool = (account: string): boolean =>
      dex.isPair(bytesToHex(accountBytes(account, hrp) ?? NO_BYTES));

    const complete = (bit: number, told: string): void => {
      const account = done.has(told) ? told : personOf(told, hrp);
      if (account === undefined) return;
      const had = done.get(account) ?? 0;
      if ((had & bit) !== 0) return;
      if (!before.has(account)) before.set(account, had);
      done.set(account, had | bit);
    };

    const lent = {
      parameters: setup.parameters,
      assets: setup.stateOf(assetDerivation),
      rights: setup.stateOf(rightsDerivation),
      settlements: setup.stateOf(settlementDerivation),
      dex,
      addressOf: (hex: string) => encodeBech32(hrp, hexToBytes(hex) ?? NO_BYTES),
    };
    const quests = QUESTS.map((quest, place) => {
      const bit = 1 << place;
      return quest.open({
        ...lent,
        complete: (account) => complete(bit, account),
        hasCompleted: (account) => ((done.get(account) ?? 0) & bit) !== 0,
      });
    });

    const append = (account: string, had: number, { height, timeNs }: BlockAt): void => {
      const has = done.get(account) ?? 0;
      for (const [place, { id }] of QUESTS.entries()) {
        if ((has & ~had & (1 << place)) === 0) continue;
        completions.append({ account, height, quest: id, time_ns: timeNs, done: has });
      }
      standings.append({ missing: QUESTS.length - bitsIn(has), height, account, time_ns: timeNs });
    };

    return {
      state: undefined,
      handlers: quests.flatMap(({ handlers = [] }) => handlers),
      wishes: {
        logs: quests.flatMap(({ wishes }) => wishes?.logs ?? []),
        transferSenders: quests.flatMap(({ wishes }) => wishes?.transferSenders ?? []),
        evmTxs: quests.some(({ wishes }) => wishes?.evmTxs === true),
      },
      seeBlock(block) {
        for (const quest of quests) quest.seeBlock?.(block);
      },
      endBlock(block) {
        // in an order that does not tell whose look at holders found them
        for (const [account, had] of [...before].sort(([a], [b]) => (a < b ? -1 : 1))) {
          if (!isPool(account)) append(account, had, block);
          else if (had === 0) done.delete(account);
          else done.set(account, had);
        }
        before.clear();
      },
      restore: (versions) =>
        versions.latest(DONE_BY_ACCOUNT, ['account', 'done'], (row) => {
          done.set(row.account, row.done);
        }),
    };
  },
};

/** The canonical form of an account of 20 bytes. Undefined for 32 bytes, which escrows have, and for no address. */
function personOf(text: string, hrp: string): string | undefined {
  const bytes = accountBytes(text, hrp);
  if (bytes?.length !== ACCOUNT_BYTES || isZeroBytes(bytes)) return undefined;
  return encodeBech32(hrp, bytes);
}

function bitsIn(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
