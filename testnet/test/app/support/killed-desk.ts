import { DEFAULT_PARAMETERS } from 'strata-devnet/devnet';
import { bech32Of, keyFromSeed } from 'strata-kit/client/keys';
import { connectNode } from 'strata-kit/client/node';
import { systemClock } from 'strata-kit/clock';
import { openCodec } from 'strata-kit/codec/codec';
import { openDatabase } from '../../../src/database/database.ts';
import { createDesk } from '../../../src/desk/desk.ts';
import { createSender } from '../../../src/sender/sender.ts';
import { DESK_KEY, LOOSE_RISK, poolAnswer, silent, steadyPool } from './desk-world.ts';
import { chainOf } from './devnet-chain.ts';

/** A desk that kills its process at the second trade's step; kill.test.ts starts it. */

const [url = '', folder = '', assetId = '', step = '', role = '', first = '0'] = process.argv.slice(2);

let reached = 0;
function pass(here: string): void {
  if (here !== step) return;
  reached += 1;
  if (reached === 2) process.kill(process.pid, 'SIGKILL');
}

const node = connectNode(url);
const parameters = { ...DEFAULT_PARAMETERS, bridgeAuthority: '', relayer: '' };
const app = { codec: openCodec(parameters) };
const chain = chainOf({ app, parameters } as unknown as Parameters<typeof chainOf>[0], {
  ...node,
  async broadcast(tx) {
    const answer = await node.broadcast(tx);
    pass('broadcast');
    return answer;
  },
});
const address = bech32Of('aeva', DESK_KEY);
const database = await openDatabase({ kind: 'sqlite', path: `${folder}/app.db` });
const desk = createDesk({
  ...{ chain, database, clock: systemClock, log: silent, roundMs: 30, timeoutBlocks: 15 },
  sender: createSender({ chain, key: DESK_KEY, clock: systemClock, pollMs: 15 }),
  instruments: () => [{ symbol: 'ORCH', assetId }],
  documents: { get: async () => undefined },
  risk: LOOSE_RISK,
  indexer: {
    url: '',
    async get(path) {
      if (path.startsWith('/v1/x/prices/')) {
        return poolAnswer(steadyPool(3_000_000n), (await node.status()).timeNs);
      }
      const answer = await chain.query('/aeva.settlement.v1.Query/Export', {});
      const list = answer.settlements as readonly { id: string; status: string; counterparty: string }[];
      const mine = list.filter(
        ({ status, counterparty }) => status === 'STATUS_PENDING' && counterparty === address,
      );
      return {
        settlements: mine.map(({ id, counterparty }) => ({ id: Number(id), counterparty })),
        next_cursor: null,
      };
    },
  },
  onStep: pass,
});
if (role === 'propose') {
  const asks = [0, 1, 2, 3].map((i) => {
    const asker = bech32Of('aeva', keyFromSeed('secp256k1', 'killed', Number(first) + i));
    const side = i % 2 === 0 ? 'buy' : 'sell';
    return desk.rfq(
      { address: asker, symbol: 'ORCH', kind: -1, side, units: '1000000' },
      `10.0.${first}.${i}`,
    );
  });
  await Promise.all(asks);
} else {
  await desk.run(AbortSignal.timeout(20_000));
}
// not killed: the test fails
process.exit(3);
