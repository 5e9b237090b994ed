import { startCommand } from './command.ts';

/** `strata engine` as a process of its own over a folder, as other processes meet it. */
export interface EngineUnderTest {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  stop(): Promise<void>;
}

export const ENGINE_PASSWORD = 'open-sesame';
export const READER_PASSWORD = 'open-barley';

export async function startEngine(folder: string, ...flags: readonly string[]): Promise<EngineUnderTest> {
  const passwords = ['--password', ENGINE_PASSWORD, '--reader-password', READER_PASSWORD];
  const command = startCommand('engine', '--data', folder, '--listen', '127.0.0.1:0', ...passwords, ...flags);
  const [, url = ''] = await command.printed(/ at (http:\/\/127\.0\.0\.1:\d+)/);
  return {
    url,
    user: 'strata',
    password: ENGINE_PASSWORD,
    async stop() {
      await command.stopWell('SIGTERM');
    },
  };
}
