import {
  addressArgument,
  amountArgument,
  ETHEREUM_CALLS,
  TRANSFER,
  TRANSFER_FROM,
} from '../ethereum-calls.ts';
import { ethereumInput } from '../ethereum-input.ts';
import { plural } from '../rights.ts';
import type { Act, ToldEvent } from './act.ts';
import { address, amountOf, type Fields, isFields, ofAsset, textOf, units } from './fields.ts';
import { type Part, type Sentence, say } from './sentence.ts';

const MOVED = 'rights.v1.EventTransferred';

/** An Ethereum tx by its view (`evm` of a Tx), the bytes of its message, and the typed events that it caused. */
export function ethereumAct(view: Fields, message: Fields, events: readonly ToldEvent[]): Act {
  const who = address(view, 'from');
  const input = ethereumInput(textOf(message, 'raw')) ?? '';
  const value = isFields(view.value) ? view.value : {};
  const coins = textOf(value, 'amount') === '0' ? undefined : amountOf(value.amount, value.denom);
  const with_: Sentence = coins === undefined ? [] : say` with ${coins}`;
  if (textOf(view, 'to') === '')
    return { who, did: 'created', toDo: 'create', what: say`a contract${with_}` };
  const to = address(view, 'to');
  if (input === '') return { who, did: 'sent', toDo: 'send', what: say`${coins ?? 'no coins'} to ${to}` };
  const selector = input.slice(0, 8);
  const call = ETHEREUM_CALLS[selector];
  if (call === undefined)
    return { who, did: 'called', toDo: 'call', what: say`${to}, method 0x${selector}${with_}` };
  const { did, toDo } = call;
  if (selector === TRANSFER || selector === TRANSFER_FROM)
    return { who, did, toDo, what: transferred(selector, input, textOf(view, 'to'), events) };
  const what = selector === '095ea7b3' ? approved(input) : [call.what];
  return { who, did, toDo, what: say`${what}${with_}, at ${to}` };
}

/** An asset's own token tells by its events what it moved; of another only the input tells. */
function transferred(selector: string, input: string, token: string, events: readonly ToldEvent[]): Sentence {
  const moved = events.filter(({ type }) => type === MOVED).map(({ fields }) => fields);
  const [first] = moved;
  if (first !== undefined) {
    const others = moved.length - 1;
    const more = others === 0 ? '' : `, with units of ${others} more ${plural('kind', others === 1)},`;
    return say`${units(first)}${ofAsset(first)}${more} to ${address(first, 'to')}`;
  }
  const shift = selector === TRANSFER_FROM ? 1 : 0;
  const from = shift === 1 ? addressArgument(input, 0) : undefined;
  const to = addressArgument(input, shift);
  const owner: Sentence = from === undefined ? [] : say` of ${account(from)}`;
  return say`${tokens(token, amountArgument(input, shift + 1))}${owner}${to === undefined ? [] : say` to ${account(to)}`}`;
}

function approved(input: string): Sentence {
  const spender = addressArgument(input, 0);
  return say`${spender === undefined ? 'somebody' : account(spender)} to spend tokens`;
}

function account(hex: string): Part {
  return { is: 'address', address: hex };
}

function tokens(contract: string, amount: string | undefined): Part {
  return amount === undefined ? 'tokens' : { is: 'token', contract, amount };
}
