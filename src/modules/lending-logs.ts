import { topicOf } from './dex/logs.ts';

/** Logs of the configured lending market. Who repays is indexed. */
export const REPAY = topicOf('Repay(address,uint256)');
