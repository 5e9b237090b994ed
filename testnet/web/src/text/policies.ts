import type { Policy } from '../../../../clients/ts/src/client.ts';
import { visibleText } from './visible.ts';

/** Who may hold and trade, in words. */
export interface PolicyWords {
  /** `Open` */
  readonly name: string;
  /** What it means, in one sentence. Attesters are counted here; who shows it lists them. */
  readonly sentence: string;
}

export function policyWords({ mode, required_types, attesters }: Policy): PolicyWords {
  switch (mode) {
    case 'OPEN':
      return { name: 'Open', sentence: 'Anyone may hold and trade it.' };
    case 'CLOSED':
      return {
        name: 'Closed',
        sentence: 'Only the issuer may give it to somebody; holders cannot pass it on.',
      };
    case 'ATTESTED':
      return {
        name: 'Attested',
        sentence:
          `Only accounts with ${required_types.length === 1 ? 'a live attestation' : 'live attestations'} of ` +
          `${listed(required_types.map(visibleText), 'and')} may receive it, ` +
          `given by ${attesters.length === 1 ? 'its one attester' : `any of its ${attesters.length} attesters`}.`,
      };
  }
}

/** Behind the words, for who asks: what a policy does not decide (docs/devnet.md "Policies"). */
export const POLICY_LIMITS =
  'A policy is asked when units are given, traded, bridged or moved by an EVM contract. It is not asked when the issuer issues units, when a beneficiary takes pledged units, or when units are handed in.';

/** Where a kind's policy comes from. */
export function policySourceText(source: 'ASSET' | 'KIND_OVERRIDE'): string {
  return source === 'ASSET'
    ? 'the policy of the whole asset'
    : "this kind's own policy, in place of the asset's";
}

const DENIED =
  /policy denied: asset\/([0-9a-f]{64})\/kind\/(\d+)\/(override\/)?(OPEN|ATTESTED|CLOSED)(?:\/(.*))?\/(recipient|sender)/;

/** A refusal by a policy as the chain words it, taken apart. */
export interface Denial {
  readonly assetId: string;
  readonly kindId: number;
  /** What was missing, and whose fault it is. One sentence. */
  readonly sentence: string;
}

/** Undefined for an error that is no policy's. */
export function policyDenial(error: string): Denial | undefined {
  const [, assetId, kind, override, mode, type, party] = DENIED.exec(error) ?? [];
  if (assetId === undefined || kind === undefined) return undefined;
  const whose = override === undefined ? "the asset's policy" : "the kind's own policy";
  const why =
    mode === 'CLOSED'
      ? 'only the issuer may give it to somebody'
      : type === undefined
        ? `the ${party} is not admitted`
        : `the ${party} has no live attestation of ${visibleText(type)}`;
  return { assetId, kindId: Number(kind), sentence: `Refused by ${whose}: ${why}.` };
}

/** `a, b and c` */
export function listed(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
