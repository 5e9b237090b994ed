import { EVMError, type ExecResult } from '@ethereumjs/evm';

/** The library's errors in the words of go-ethereum, which nodes answer with. */
const WORDS: Readonly<Record<string, string>> = {
  [EVMError.errorMessages.REVERT]: 'execution reverted',
  [EVMError.errorMessages.OUT_OF_GAS]: 'out of gas',
  [EVMError.errorMessages.CODESTORE_OUT_OF_GAS]: 'contract creation code storage out of gas',
  [EVMError.errorMessages.CODESIZE_EXCEEDS_MAXIMUM]: 'max code size exceeded',
  [EVMError.errorMessages.STATIC_STATE_CHANGE]: 'write protection',
  [EVMError.errorMessages.INSUFFICIENT_BALANCE]: 'insufficient balance for transfer',
  [EVMError.errorMessages.CREATE_COLLISION]: 'contract address collision',
  [EVMError.errorMessages.INVALID_BYTECODE_RESULT]: 'invalid code: must not begin with 0xef',
  [EVMError.errorMessages.INITCODE_SIZE_VIOLATION]: 'max initcode size exceeded',
  [EVMError.errorMessages.OUT_OF_RANGE]: 'return data out of bounds',
};

const INVALID = 0xfe;

/** The vm_error of a receipt; empty text for a success. */
export function vmError({ exceptionError, runState }: ExecResult): string {
  if (exceptionError === undefined) return '';
  if (exceptionError.error === EVMError.errorMessages.INVALID_OPCODE) {
    const code = runState?.opCode ?? INVALID;
    return `invalid opcode: ${code === INVALID ? 'INVALID' : `opcode 0x${code.toString(16)} not defined`}`;
  }
  // told with the place of the jump
  if (exceptionError.error.startsWith(EVMError.errorMessages.INVALID_JUMP)) return 'invalid jump destination';
  return WORDS[exceptionError.error] ?? exceptionError.error;
}
