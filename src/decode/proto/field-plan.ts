import type { FieldDescriptor } from './descriptors.ts';
import type { Wire } from './wire.ts';

/** How one field of one message type is read and printed. */
export interface FieldPlan {
  readonly descriptor: FieldDescriptor;
  readonly slot: number;
  /** `"name":`, and the same after a comma. */
  readonly key: string;
  readonly nextKey: string;
  readonly wireType: number;
  /** Reads one value at the cursor, which may not pass `end`; of a map every entry from the cursor on. */
  readonly read: (wire: Wire, end: number) => string;
  /** Reads a message without its length: two occurrences of such a field are one message in two parts. */
  readonly readMerged: ((wire: Wire, end: number) => string) | undefined;
  readonly map: boolean;
  /** Left out when unset: members of a oneof. */
  readonly optional: boolean;
  /** Slots of the other members of its oneof. */
  readonly rivals: readonly number[];
  /** What the field prints when the message lacks it. */
  readonly unset: () => string;
}

/** Finds a field by its number. */
export type FieldFinder = (fieldNumber: number) => FieldPlan | undefined;

/** Values' JSON texts by slot; a repeated field's without its brackets, undefined where unset. */
export type Slots = (string | undefined)[];
