/** A number as an object of a library's, whose text it is: a host may have its driver make decimals of numbers, say. */
export type NumberObject = object

const NUMBER = /^-?\d+(\.\d+)?$/

export function isNumberObject(value: unknown): value is NumberObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return 'toString' in value && NUMBER.test(String(value))
}

export const numberOf = (value: number | string | bigint | NumberObject): number =>
  Number(typeof value === 'object' ? String(value) : value)
