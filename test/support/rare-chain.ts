/**
 * A chain on which all rare scenarios have been played: the seed of its workload, how far it goes, and how its days pass
 * (`strata corpus --clock`).
 */
export const RARE_CHAIN = { seed: 21, blocks: 300, steps: '1s*30,6h*10,1d*3' } as const;
