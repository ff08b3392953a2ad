/** Throws a TypeError for what cannot be a webhook authentication key. */
export function checkKey(key: unknown): asserts key is string {
  if (typeof key === 'string' && key !== '') return
  throw new TypeError('key must be the webhook authentication key, not empty')
}
