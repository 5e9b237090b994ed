import type { Logger } from 'pino';
import { systemClock } from 'strata-kit/clock';
import type { Chain } from '../chain.ts';
import type { Instrument } from '../instrument.ts';
import type { Documents } from '../launchpad/documents.ts';
import type { Part } from '../part.ts';
import type { AppSettings } from '../settings.ts';
import { makeTestnet } from './make.ts';

interface Given {
  readonly settings: AppSettings;
  readonly chain: Chain;
  readonly log: Logger;
}

export interface TestnetPart extends Part {
  /** Undefined until it is known which there are. */
  readonly instruments: () => readonly Instrument[] | undefined;
}

/** With `--testnet`: what the chain lacks is made when the app starts. Undefined without it, or without its keys. */
export function testnetPart(
  { settings, chain, log }: Given,
  documents: Pick<Documents, 'put'>,
): TestnetPart | undefined {
  const { isTestnet, faucetKey: faucet, deskKey: desk } = settings;
  if (!isTestnet || faucet === undefined || desk === undefined) return undefined;
  const taken = new Set(settings.instruments.flatMap(({ symbol, assetId }) => [symbol, assetId]));
  let instruments: readonly Instrument[] | undefined;
  return {
    name: 'testnet',
    routes: () => undefined,
    instruments: () => instruments,
    async run(signal) {
      const made = await makeTestnet({
        ...{ chain, documents, log, signal },
        keys: { faucet, desk },
        clock: systemClock,
      });
      instruments = made.filter(({ symbol, assetId }) => !taken.has(symbol) && !taken.has(assetId));
    },
  };
}
