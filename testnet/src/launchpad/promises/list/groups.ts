/** Words that patterns of several topics share, by what they are in a promise. */
export const GROUPS = {
  /** What a promise calls its gain. */
  good: 'guaranteed|high|higher|highest|huge|big|bigger|biggest|great|greater|steady|stable|passive|monthly|weekly|daily|hourly|quarterly|solid|massive|amazing|incredible|insane|crazy|attractive|consistent|strong|stronger|maximum|max|superior|excellent|exceptional|outstanding|generous|juicy|fat|quick|fast|instant|easy|reliable|healthy|expected|projected|promised|assured|secure|safe|riskfree|fixed|best|better|endless|unlimited|infinite|explosive|exponential|doubledigit|tripledigit|lifechanging|marketbeating|unbeatable|longterm|extra|pure|serious|sweet|fantastic|phenomenal|extraordinary|spectacular|significant|substantial|handsome|impressive|lucrative|automatic|constant|recurring|residual|lifetime|overnight|stellar|mad|enormous|effortless|predictable',
  sure: 'guaranteed|high|higher|highest|steady|fixed|solid|massive|attractive|consistent|expected|projected|promised|assured|passive|doubledigit|monthly|riskfree|superior|excellent|healthy|huge|handsome',
  /** Gains, whatever they are called. */
  gain: 'returns|profit|profits|income|yield|yields|gain|gains|earnings|dividend|dividends|interest|payout|payouts|money|growth|reward|rewards|apy|roi|upside|appreciation|bonus|bonuses|wealth|riches|cash|passiveincome|cashflow',
  period: 'daily|weekly|monthly|yearly|annually|hourly|quarterly|nightly|biweekly',
  unit: 'hour|day|week|month|quarter|year|annum|night|morning|block|epoch|minute|weekend|friday|monday|sunday',
  person:
    'holder|holders|investor|investors|owner|owners|member|members|staker|stakers|buyer|buyers|supporter|supporters|participant|participants|believer|believers|adopter|adopters|everyone|everybody|you|youll|shareholders|shareholder|tester|testers|user|users|wallet|wallets|hodlers|hodler|backer|backers',
  coin: 'token|tokens|coin|coins|crypto|usdt|usdc|eth|btc|bitcoin|ether|sats|stablecoin|stablecoins|nft|nfts|usd|dollars|cash|money|fiat',
} as const;
