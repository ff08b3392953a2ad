/**
 * The parameters of a list in SQL, padded with repeats to a power of two, so that lists of all lengths have few forms to
 * prepare: `except0`, `except1` and so on for `except`.
 */
export function paddedList<Name extends string>(
  name: Name,
  values: readonly string[],
): { width: number; parameters: Record<`${Name}${number}`, string> } {
  const [first] = values
  const width = first === undefined ? 0 : 2 ** Math.ceil(Math.log2(values.length))
  const padded = Array.from({ length: width }, (_, n) => [`${name}${n}`, values[n] ?? first ?? ''])
  return { width, parameters: Object.fromEntries(padded) }
}
