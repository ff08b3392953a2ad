/** Looks at every character of `expected`, so that how long it takes tells nothing of what the two have in common. */
export function isSame(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let i = 0; i < expected.length; i++) difference |= given.charCodeAt(i) ^ expected.charCodeAt(i)
  return difference === 0
}
