/**
 * The start of an answer's body as text that every database holds; null for an empty one, and for a compressed one, which
 * is not unpacked. A character that was cut off at the end is dropped.
 */
export function answerText(start: Buffer, encoding: string | null): string | null {
  if (start.byteLength === 0 || (encoding !== null && encoding.toLowerCase() !== 'identity')) return null
  // A decoder that is told of more to come holds back the beginning of a character.
  return new TextDecoder().decode(start, { stream: true }).replaceAll('\0', '\ufffd')
}
