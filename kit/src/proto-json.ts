/**
 * proto-JSON as the chain's parts hand it to each other: snake_case names, defaults present, 64-bit integers as decimal
 * texts, bytes in base64, enums by name, timestamps as RFC 3339.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}
