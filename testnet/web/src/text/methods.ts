/** A type URL as people say it. */
export interface MethodText {
  /** `Distribute` */
  readonly name: string;
  /** `payout` */
  readonly module: string;
}

/** `/aeva.payout.v1.MsgDistribute`, or an event's `aeva.payout.v1.EventDistributed`. */
export function methodText(type: string): MethodText {
  const parts = type.replace(/^\//, '').split('.');
  const last = parts.at(-1) ?? type;
  const module =
    parts.length > 2 ? (parts.find((part, at) => at > 0 && !/^v\d/.test(part) && part !== last) ?? '') : '';
  const name = last
    .replace(/^(Msg|Event)(?=[A-Z])/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/ ([A-Z])(?=[a-z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`);
  return { name: name === '' ? type : name, module };
}

/** `active` of `ROUTE_STATUS_ACTIVE`, given what all of them begin with. */
export function enumText(value: string, prefix: string): string {
  return value.replace(prefix, '').replaceAll('_', ' ').toLowerCase();
}
