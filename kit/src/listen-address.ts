export interface ListenAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}
