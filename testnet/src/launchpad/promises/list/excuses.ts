/** Phrases in which a word of the list is about something else. What they cover is no promise. */
export const EXCUSES = [
  '(happy|tax|library|book|books|election|postal|free|customer|product|safe|online|sale) returns',
  'returns (policy|desk|department|counter|form|label|address|centre|center|trolley|box|slot|shelf|cart|bin|process|window|officer|within|by)',
  'get rich quick (scheme|schemes|book|books|myth|myths|promises)',
  '(looking|look|came|come|hoping|hope|want|seeking) for? _3 elsewhere',
  '(looking|hoping|want|seeking) for? _2 look elsewhere',
  '(reward|rewards|bounty|profit|profits|yield|gain|airdrop) (street|road|lane|avenue|square|court|bridge|hill|house|close|drive|way|row|terrace|place|crescent|park|farm|farms|mill|station|school|bay|island|creek|river|mountain)',
  '(mr|mrs|ms|miss|dr|sir|lady|professor|captain|aunt|uncle|family|sister|brother) (reward|rewards|profit|profits|yield|gain|gains|rich|worth|moon|bonus)',
  '(its|their|his|her) own reward',
  '(reward|lost|wanted|missing) (poster|posters|notice|notices|chart|charts)',
  '(non|not) for? profit',
  'profit (and|or) loss',
  'capital gains (tax|taxes)',
  '(test|tests|testing|debug|debugging) (the|our|of)? (rewards|reward|airdrop|airdrops|yield) (code|module|contract|function|feature|logic)?',
  '(study|history|lecture|essay|lesson|course|exhibition|novel|book|talk|seminar) (of|on|about) _3 (price|prices|value|yield|yields|profit|profits|returns|interest|dividends|rewards|airdrops|speculation) _3 (rise|rises|rose|rising|fall|fell|grow|grows)?',
  '(airdrop|airdrops|airdropped) (food|supplies|medicine|rations|leaflets|aid|parcels)',
  '(food|supply|aid|supplies|medicine|leaflet|relief|humanitarian) (was|were|is|are|being)? (airdrop|airdrops|airdropped)',
  '(crop|crops|wheat|grain|maize|rice|milk|barley|harvest|apple|honey|oat|potato|hay|chemical|fruit) (yield|yields)',
  'yield (sign|signs|curve|curves|point|strength|stress|to)',
  'interest (group|groups|in|of)',
  '(high|great|big|huge) gain (antenna|antennas|amplifier|amplifiers|microphone)',
] as const;

/** A sentence that has one of these, not denied, warns of promises or speaks of those who make them. */
export const WARNINGS =
  'scam|scams|scammer|scammers|scamming|fraud|frauds|fraudster|fraudsters|fraudulent|phishing|liar|liars|lying|beware|swindle|swindler|swindlers|swindled|hoax|hoaxes|crook|crooks|fooled|ponzi|untrue|false|falsely|impostor|impostors|lie|warn|warns|warning|suspicious|distrust|mistrust';

/** The moon of a story or of a telescope. */
export const REAL_MOON =
  'apollo|landing|landed|flew|flown|astronaut|astronauts|cosmonaut|novel|story|stories|tale|poem|film|verne|telescope|orbit|nasa|lunar|crater|craters|museum|song|book|play|distance|kilometres|kilometers|miles|1969|bedtime|tides|wolf|wolves|howl|howls|howling|dance|gazing';
