import { expect, it } from 'vitest';
import { testnetKeys } from '../../../src/app/testnet/keys.ts';
import { chainSection } from '../../../src/devnet/chain-section.ts';
import { bech32Of } from '../../../src/devnet/client/keys.ts';
import { DEFAULT_PARAMETERS } from '../../../src/devnet/devnet.ts';

it('the chain names the accounts of the app among its services, so that no ranking or total takes them for users', () => {
  const { serviceAccounts } = chainSection({ ...DEFAULT_PARAMETERS, bridgeAuthority: '', relayer: '' });
  const { faucet, desk } = testnetKeys();
  for (const key of [faucet, desk]) expect(serviceAccounts).toContain(bech32Of('aeva', key));
});
