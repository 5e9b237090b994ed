import type { Acts } from './act.ts';
import { address, coin, isFields, listOf } from './fields.ts';
import { listed, type Sentence, say } from './sentence.ts';

export const BANK: Acts = {
  'bank.v1beta1.MsgSend': (message) => ({
    who: address(message, 'from_address'),
    did: 'sent',
    toDo: 'send',
    what: say`${sum(listOf(message, 'amount'))} to ${address(message, 'to_address')}`,
  }),
  'bank.v1beta1.MsgMultiSend': (message) => {
    const [from] = listOf(message, 'inputs').filter(isFields);
    const to = listOf(message, 'outputs').filter(isFields);
    const each = to.length;
    return {
      who: from === undefined ? 'somebody' : address(from, 'address'),
      did: 'sent',
      toDo: 'send',
      what: say`${from === undefined ? 'coins' : sum(listOf(from, 'coins'))} to ${String(each)} ${each === 1 ? 'account' : 'accounts'}`,
    };
  },
};

function sum(coins: readonly unknown[]): Sentence {
  return coins.length === 0 ? ['nothing'] : listed(coins.map((each): Sentence => [coin(each)]));
}
