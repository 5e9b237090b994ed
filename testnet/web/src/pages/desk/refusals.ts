import type { AskError } from '../../data/errors.ts';
import { waitText } from '../../sign/stops.ts';
import { sentence } from '../../text/message.ts';
import { refusalText } from '../../wallet/refusals.ts';

/** Why the desk gives no quote, and what to do. */
export function deskRefusal({ status, message, retryAfterSeconds }: AskError): string {
  if (status === 0) return 'The app does not answer. Nothing was proposed; try again.';
  if (status === 404) return 'The desk does not trade this. Choose another from the list.';
  if (status === 429) return `${sentence(message)}${waitText(retryAfterSeconds)}`;
  if (status === 503)
    return `${sentence(message)} If a proposal comes of it after all, it stands among your settlements.`;
  if (status === 409) {
    const denied = /policy denied/.test(message) ? refusalText(message) : sentence(message);
    return `The desk does not do this now. ${denied}`;
  }
  return sentence(message);
}
