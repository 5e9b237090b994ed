import { wholeNumber } from 'strata-kit/cli/kinds';
import { setting } from 'strata-kit/cli/setting';

export const pace = setting('pace', wholeNumber(0, 3_600_000, 'milliseconds', '<ms>'), {
  group: 'Source',
  text: 'show one more height every so many milliseconds, 0: all at once',
  default: '0',
});
