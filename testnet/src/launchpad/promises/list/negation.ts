/** Words that deny what comes after them in the sentence, verbs and all. */
export const DENIES =
  'not|never|cannot|cant|wont|dont|doesnt|didnt|isnt|arent|wasnt|werent|shouldnt|wouldnt|couldnt|aint|neednt|hasnt|havent|neither|nor|nobody|nothing|none|nowhere|hardly|refuse|refuses|refused|deny|denies|disclaim|disclaims|decline|declines|forbid|forbids|forbidden|prohibit|prohibits|prohibited|bans|banned|unable|refrain|refrains|excludes|exclude|rejects|reject|abstain|abstains|rules';

/** Words that deny the thing they stand before: nobody gets something between them. */
export const WITHOUT = 'no|non|zero|without|nil|lack|lacks|lacking|sans|devoid|0|free|instead|rather';

/** Behind `no`, they make it a denial of the whole sentence: no promise of …, no holder will …. */
export const SUBJECTS =
  'one|holder|holders|member|members|owner|owners|person|participant|buyer|buyers|asset|token|coin|unit|units|kind|promise|promises|guarantee|guarantees|claim|claims|expectation|expectations|offer|offers|plan|plans|intention|representation|representations|obligation|right|rights|entitlement|chance|prospect|suggestion|hint|part|thing|talk|mention|hope|way|reason|need|body|point|form|kinds|sort|statement|implication|duty|commitment|investor|investors';

/** Who gets, and getting: no fees, you earn …. */
export const GETS =
  'you|we|they|i|holders|everyone|members|get|gets|receive|receives|earn|earns|win|wins|claim|collect|enjoy|pays|gives|give|grab|just|only|hold|buy|stake|all';

/** Between a denial and a promise they turn it around: never miss, no better, not only, cannot fail, no risk. */
export const TURNS =
  'miss|missed|missing|lose|loses|fail|fails|failed|wait|forget|sleep|stop|stops|end|ends|ignore|worry|doubt|hesitate|sell|risk|risks|fee|fees|effort|work|limit|limits|cap|kyc|lockup|lock|loss|losses|better|higher|bigger|greater|more|other|such|like|less|matter|joke|secret|wonder|faster|easier|simpler|catch|minimum|downside|stress|problem|hassle|tax|taxes|cost|costs|delay|hurry|only|just|merely|simply|but|lower|below|under|regret|late|small|ordinary|average|single|exclude|excluded|forgotten|missable';

/** A new thought begins, which a denial before it does not reach. */
export const ENDS =
  'but|however|yet|although|though|except|unless|until|while|whereas|because|so|then|still|instead|plus|besides';

/** What may stand between the parts of a list that one denial reaches: no rewards, airdrops or any returns. */
export const LISTED =
  'or|nor|and|no|not|any|kind|kinds|sort|of|a|an|the|other|form|guaranteed|monetary|financial|future|real|resale|cash|market|promise|promises|promised|token|tokens|reward|rewards|airdrop|airdrops|return|returns|value|profit|profits|yield|yields|income|interest|dividend|dividends|gain|gains|payout|payouts|worth|price|bonus|bonuses|giveaway|giveaways|payment|payments|benefit|benefits|rights|utility|roadmap|listing|listings|backing|guarantee|guarantees|claim|claims|expectation|expectations|money|investment|buyback|buybacks|redemption|apy|roi|growth|points|drop|drops|snapshot|snapshots|allocation|allocations|refund|refunds|perks|prizes|offers|offer|pays|pay|give|gives|carries|has|is|have|does|will|be|being|there|for|in|at|all|ever|mainnet|backed|staking|earnings|passive|nothing|never|to|exchange|upside|appreciation|free|coins|its';

/** Between a promise and a denial behind it: rewards will never be paid, value is not guaranteed, airdrops: none. */
export const LINKS =
  'is|are|was|were|will|would|can|could|does|do|has|have|had|shall|may|must|there|it|we|they|of|any|kind|here|at|all|ever|whatsoever|or|and|in|this|asset|token|offer|exist|exists|plan|plans|for|this|be|value|returns|rewards|return|airdrops|profit|either|with|the|one|answer|simply|to';

/** Behind such a denial: what is denied. */
export const DENIED =
  'be|been|being|promised|guaranteed|offered|paid|planned|expected|intended|implied|given|made|happen|happening|exist|exists|part|included|due|owed|available|attached|coming|involved|allowed|assured|the|a|any|on|for|our|something|what|why|here|ever|anything|distributed|foreseen|provided|to|come|and|or|nor|none|issued|backed|anticipated|accrue|claimed|earned|its|an|meant|about|in|supported|follow|rise|possible|going|listed|redeemable|of|welcome|advertised|mentioned';

/** Behind a promise by itself: rewards are forbidden. */
export const FORBIDDEN =
  'forbidden|prohibited|banned|refused|excluded|disallowed|impossible|unlikely|fictional|fictitious|imaginary|illegal';
