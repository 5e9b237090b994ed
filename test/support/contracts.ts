import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The devnet's own contracts through the compiler: `npm run contracts` writes them, a test compares. */

const SOURCES = new URL('../../devnet/src/modules/evm/contracts/', import.meta.url);
export const ARTIFACTS = new URL('artifacts.ts', SOURCES);

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly abi: readonly unknown[];
            readonly evm: { readonly bytecode: { readonly object: string } };
          }
        >
      >
    >
  >;
}

/** The text of artifacts.ts: each contract's interface and creation code. Throws on any warning. */
export function compileContracts(): string {
  const { compile } = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const names = readdirSync(SOURCES).filter((name) => name.endsWith('.sol'));
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      names.map((name) => [name, { content: readFileSync(new URL(name, SOURCES), 'utf8') }]),
    ),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(compile(JSON.stringify(input))) as Output;
  const complaints = output.errors ?? [];
  if (complaints.length > 0) throw new Error(complaints.map((one) => one.formattedMessage).join('\n'));
  const artifacts = Object.values(output.contracts)
    .flatMap((file) => Object.entries(file))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, { abi, evm }]) =>
        `/** The contract ${name}. */\nexport const ${constantName(name)}: Artifact = {\n` +
        `  abi: \`${JSON.stringify(abi)}\`,\n  bytecode: '0x${evm.bytecode.object}',\n};\n`,
    );
  return `import type { Artifact } from '../artifact.ts';\n\n// Written by \`npm run contracts\` from the sources beside it.\n\n${artifacts.join('\n')}`;
}

/** LendingMarket as LENDING_MARKET. */
function constantName(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}
