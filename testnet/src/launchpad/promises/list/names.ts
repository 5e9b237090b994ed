/**
 * In a name or a symbol a word of gain says what the asset is to bring, where in a sentence it may be about anything.
 * `END` stands behind the last word.
 */
export const NAMES = [
  '(profit|profits|yield|yields|gains|returns|earn|earnings|riches|lambo|jackpot|payout|payouts|cashflow|wealth|fortune|millionaire|millionaires|moonshot|rich) (token|tokens|coin|coins|dao|fund|funds|pool|vault|protocol|finance|machine|maker|maxi|max|capital|express|now|pass|engine|rocket|plus|pro|printer|dollar|cash|swap|bank|share|shares|guaranteed|daily|forever|king|generator|inu|plan|bond|bonds|multiplier|builder|NUM|NX)',
  '(get|easy|quick|instant|double|free|passive|max|mega|super|ultra|pure|daily|weekly|monthly|steady|sure|guaranteed|endless|infinite|auto|fast|high|stable|more|your|make) (profit|profits|yield|yields|gains|returns|earn|earnings|riches|payout|payouts|income|wealth|money|cash|rich|dividend|dividends|upside)',
  '(profit|profits|profitable|gains|riches|lambo|jackpot|yieldmax|cashcow|millionaire|moonshot|moneymaker) END',
  'NX',
] as const;
