import { chainSection } from 'strata-devnet/chain-section';
import { DEFAULT_PARAMETERS } from 'strata-devnet/devnet';
import { bech32Of } from 'strata-kit/client/keys';
import { expect, it } from 'vitest';
import { testnetKeys } from '../../../src/testnet/keys.ts';

it('the chain names the accounts of the app among its services, so that no ranking or total takes them for users', () => {
  const { serviceAccounts } = chainSection({ ...DEFAULT_PARAMETERS, bridgeAuthority: '', relayer: '' });
  const { faucet, desk } = testnetKeys();
  for (const key of [faucet, desk]) expect(serviceAccounts).toContain(bech32Of('aeva', key));
});
