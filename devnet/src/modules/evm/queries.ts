import type { QueryHandler } from '../../app/module.ts';

/** What cosmos/evm tells of itself: the gas denom, the chain id, and since when its rules hold. */
export const queries: Readonly<Record<string, QueryHandler>> = {
  '/cosmos.evm.vm.v1.Query/Params': (_reader, _request, { parameters }) => ({
    params: {
      evm_denom: parameters.gasDenom,
      extra_eips: [],
      evm_channels: [],
      access_control: {
        create: { access_type: 'ACCESS_TYPE_PERMISSIONLESS', access_control_list: [] },
        call: { access_type: 'ACCESS_TYPE_PERMISSIONLESS', access_control_list: [] },
      },
      active_static_precompiles: [],
      history_serve_window: '256',
      extended_denom_options: { extended_denom: parameters.evmDenom },
    },
  }),
  '/cosmos.evm.vm.v1.Query/Config': (_reader, _request, { parameters }) => ({
    config: {
      homestead_block: '0',
      dao_fork_block: '0',
      dao_fork_support: true,
      eip150_block: '0',
      eip155_block: '0',
      eip158_block: '0',
      byzantium_block: '0',
      constantinople_block: '0',
      petersburg_block: '0',
      istanbul_block: '0',
      muir_glacier_block: '0',
      berlin_block: '0',
      london_block: '0',
      arrow_glacier_block: '0',
      gray_glacier_block: '0',
      merge_netsplit_block: '0',
      chain_id: String(parameters.evmChainId),
      denom: parameters.gasDenom,
      decimals: String(parameters.gasDecimals),
      shanghai_time: '0',
      cancun_time: '0',
      prague_time: '',
      verkle_time: '',
      osaka_time: '',
    },
  }),
};
