/** Whether blocks are held against the hashes that bind them: where the chain's fit, always, never. */
export const VERIFY_MODES = ['auto', 'always', 'never'] as const;
export type VerifyMode = (typeof VERIFY_MODES)[number];
