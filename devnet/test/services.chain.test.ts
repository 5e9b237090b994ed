import { openCodec } from 'strata-kit/codec/codec';
import { expect, it } from 'vitest';
import { openDevnet } from '../src/devnet.ts';
import { devnetModules } from '../src/modules.ts';

/** The services that the chain's descriptors tell, against what it does. */

const codec = openCodec({ namespace: 'aeva' });
const services = [...codec.registry].flatMap((desc) => (desc.kind === 'service' ? [desc] : []));

it('each message of a Msg service has a handler, and no other', () => {
  const told = services
    .filter(({ name }) => name === 'Msg')
    .flatMap(({ methods }) => methods.map(({ input }) => `/${input.typeName}`));
  const handled = devnetModules().flatMap(({ messages }) =>
    Object.keys(messages).map((type) => type.replace('<ns>', 'aeva')),
  );
  expect(handled.sort()).toEqual(told.sort());
});

it('each method of the others is answered, if only with a refusal of its own', async () => {
  const devnet = await openDevnet({ clock: 'simulated' });
  try {
    await devnet.produceBlock();
    const unknown: string[] = [];
    let asked = 0;
    for (const { name, typeName, methods } of services) {
      if (name === 'Msg') continue;
      for (const method of methods) {
        const path = `/${typeName}/${method.name}`;
        const { code, codespace, log } = await devnet.chain.query(path, new Uint8Array(), 0);
        asked += 1;
        // sdk/6 is what every path gets that is none
        if (codespace === 'sdk' && code === 6) unknown.push(`${path}: ${log}`);
      }
    }
    expect(unknown).toEqual([]);
    expect(asked).toBeGreaterThan(40);
    const { code } = await devnet.chain.query('/aeva.asset.v1.Query/Nothing', new Uint8Array(), 0);
    expect(code).toBe(6);
  } finally {
    await devnet.stop();
  }
});
