/** Who acts in synthetic blocks. The three forms of each are literals that blocks.test.ts checks against its key. */

import { SigningKey } from 'ethers';

export interface Actor {
  readonly key: SigningKey;
  /** EIP-55. */
  readonly hex: string;
  readonly bech32: string;
}

export const EVM_CHAIN_ID = 262_144;

const keyOf = (digit: string): SigningKey => new SigningKey(`0x${digit.repeat(64)}`);

export const ALICE: Actor = {
  key: keyOf('1'),
  hex: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  bech32: 'cosmos1r8n7xah8cgfm0el8u3kvwzja6zrd4le2u2u9v4',
};
export const BOB: Actor = {
  key: keyOf('2'),
  hex: '0x1563915e194D8CfBA1943570603F7606A3115508',
  bech32: 'cosmos1z43ezhsefkx0hgv5x4cxq0mkq633z4gge7tyns',
};
export const CAROL: Actor = {
  key: keyOf('3'),
  hex: '0x5CbDd86a2FA8Dc4bDdd8a8f69dBa48572EeC07FB',
  bech32: 'cosmos1tj7as6304rwyhhwc4rmfmwjg2uhwcplmrvw5eg',
};
export const DAVE: Actor = {
  key: keyOf('4'),
  hex: '0x7564105E977516C53bE337314c7E53838967bDaC',
  bech32: 'cosmos1w4jpqh5hw5tv2wlrxuc5cljnswyk00dv5d4376',
};

/** Contracts: nobody holds a key. */
export const TOKEN = {
  hex: '0x7070707070707070707070707070707070707070',
  bech32: 'cosmos1wpc8qurswpc8qurswpc8qurswpc8qursvu09x0',
};
export const ROUTER = {
  hex: '0xABcdEFABcdEFabcdEfAbCdefabcdeFABcDEFabCD',
  bech32: 'cosmos140x7l27da74ummatehh6hn0040x7l27dm0y5f2',
};

/** A module account of the recorded chain (fee_collector): no party of a bank movement. */
export const FEE_COLLECTOR = 'cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta';
