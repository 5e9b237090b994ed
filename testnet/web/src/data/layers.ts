import { signal } from '@preact/signals';
import type { What } from '../../../src/what.ts';
import { askApp } from './client.ts';
import { type AskError, asAskError } from './errors.ts';
import { status } from './live.ts';

/** A block by what happened in it, as `GET /api/blocks/layers` tells. */
export type Layer = { readonly height: number; readonly time: string } & Readonly<Record<What, number>>;

export const SHOWN_LAYERS = 120;

/** Newest first; kept while other pages are read. */
export const layers = signal<readonly Layer[]>([]);
export const layersError = signal<AskError | undefined>(undefined);

let isAsking = false;

/** Adds what has come since, when the indexer's height has grown. */
export async function addNewLayers(): Promise<void> {
  const known = layers.value[0]?.height ?? 0;
  if (isAsking || (status.value?.indexed_height ?? 0) <= known) return;
  isAsking = true;
  try {
    const told = await askApp<{ readonly layers: readonly Layer[] }>(`/api/blocks/layers?after=${known}`);
    const fresh = told.layers.filter(({ height }) => height > known);
    layers.value = [...fresh, ...layers.value].slice(0, SHOWN_LAYERS);
    layersError.value = undefined;
  } catch (error) {
    layersError.value = asAskError(error);
  } finally {
    isAsking = false;
  }
}
