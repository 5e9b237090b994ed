import { describe, expect, it } from 'vitest';
import { escrowAddress, isEscrow, registerEscrow } from '../../src/modules/escrow.ts';
import { createState } from '../../src/state/state.ts';

describe('escrow accounts', () => {
  it('have the module address of ADR-028', () => {
    // python3: sha256(sha256(b'module') + b'bridge\0route-1'), as bech32
    expect(escrowAddress('aeva', 'route-1')).toBe(
      'aeva1zup7xd97556tweu9pru5u6fthhvpfnf75987yac8u6gyxetarc2q08sefc',
    );
  });

  it('are known once they are registered', () => {
    const state = createState();
    const address = escrowAddress('aeva', 'route-1');
    expect(isEscrow(state, address)).toBe(false);
    registerEscrow(state, address, 'route-1');
    expect(isEscrow(state, address)).toBe(true);
  });
});
