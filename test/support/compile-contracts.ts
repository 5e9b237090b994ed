import { writeFileSync } from 'node:fs';
import { ARTIFACTS, compileContracts } from './contracts.ts';

writeFileSync(ARTIFACTS, compileContracts());
