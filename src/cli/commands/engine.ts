import { command } from 'strata-kit/cli/command';
import { vary } from 'strata-kit/cli/setting';
import { data } from 'strata-kit/settings/chain';
import { listen } from 'strata-kit/settings/listening';
import { password, readerPassword } from '../../settings/serving.ts';

export const engine = command({
  name: 'engine',
  summary: "run the embedded ClickHouse behind ClickHouse's HTTP interface, for several processes",
  settings: [
    data,
    // where a ClickHouse server answers HTTP
    vary(listen, { text: 'where to answer, loopback only', default: '127.0.0.1:8123' }),
    password,
    readerPassword,
  ],
  examples: ['STRATA_PASSWORD=… strata engine --data ./data --listen 127.0.0.1:8123'],
  options: (given) => ({
    folder: given.data,
    listen: given.listen,
    passwords: { owner: given.password, reader: given.readerPassword },
  }),
  run: async (options, context) => (await import('../run/engine.ts')).engine(options, context),
});
