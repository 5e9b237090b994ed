import type { AssetRecord, KindRecord } from './records.ts';

/** What modules that read `asset` see of it while they derive: records as of the event at hand. */
export interface AssetState {
  getAsset(assetId: string): AssetRecord | undefined;
  getKind(assetId: string, kindId: number): KindRecord | undefined;
}
