import descriptorsUrl from '../../../../kit/descriptors.binpb?url';
import { AskError, asAskError } from '../data/errors.ts';
import { type ChainTypes, openChainTypes } from './chain-types.ts';

let loading: Promise<ChainTypes> | undefined;

/** The chain's messages, loaded once a visit. Errors: AskError. */
export function loadTypes(namespace: string): Promise<ChainTypes> {
  loading ??= load(namespace).catch((error: unknown) => {
    loading = undefined;
    throw asAskError(error);
  });
  return loading;
}

async function load(namespace: string): Promise<ChainTypes> {
  const response = await fetch(descriptorsUrl);
  if (!response.ok) {
    throw new AskError(response.status, 'internal', 'the description of the messages cannot be loaded');
  }
  return openChainTypes(new Uint8Array(await response.arrayBuffer()), namespace);
}
