import { sdkError } from 'strata-kit/chain-error';
import { requireAddress } from '../../app/address.ts';
import type { MessageHandler } from '../../app/module.ts';
import { requireCoins } from './coins.ts';
import { isBlocked, send } from './keeper.ts';

/** MsgSend, in the SDK's order of checks. Errors: sdk/7, sdk/10, sdk/4 (a blocked recipient), sdk/5. */
export const sendCoins: MessageHandler = (context, message) => {
  const from = String(message.from_address);
  const to = String(message.to_address);
  requireAddress(context.parameters, from, 'from address');
  requireAddress(context.parameters, to, 'to address');
  const coins = requireCoins(message.amount);
  if (isBlocked(context.state, context.parameters, to))
    throw sdkError('unauthorized', `${to} is not allowed to receive funds: unauthorized`);
  send(context, from, to, coins);
  return {};
};
