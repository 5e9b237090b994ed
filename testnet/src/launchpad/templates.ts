/** What the launch wizard makes an asset of: the kinds of each stand in the contract, api.md "Launchpad endpoints". */
export const TEMPLATES = ['community', 'dividend', 'equity', 'bond'] as const;

export type Template = (typeof TEMPLATES)[number];
