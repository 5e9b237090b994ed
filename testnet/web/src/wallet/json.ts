/** Proto-JSON: fields under their names in the .proto files, numbers of 64 bits as texts, bytes in base64. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export type Fields = { readonly [name: string]: Json };

/** A message with its `@type`. */
export type Message = Fields & { readonly '@type': string };

export function fieldsOf(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
