import { type ZodType, z } from 'zod'

const OTHER =
  /^\[object (Array|Date|Map|Set|WeakMap|WeakSet|Promise|RegExp|Boolean|Number|String|ArrayBuffer|\w+Array)\]$/

/**
 * True for an object that holds what it holds in properties. A map, a date or a promise that nobody awaited would pass for
 * an object with none of them, and what is in it would be lost.
 */
export function holdsProperties(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !OTHER.test(Object.prototype.toString.call(value))
}

/** A schema of an object within another, which takes no other kind of object for an empty one. */
export function ofProperties<Output, Input>(schema: ZodType<Output, Input>) {
  return z.custom<Input>(holdsProperties, 'must be an object').pipe(schema)
}
